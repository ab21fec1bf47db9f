/** Returns an expression that matches parts in this order, with anything between them. */
export function inOrder (...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join('[^]*'))
}
