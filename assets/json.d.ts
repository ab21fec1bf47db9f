export type Piece = { kind: 'name' | 'string' | 'address' | 'word' | 'mark', text: string }

export function piecesOf (json: string): Generator<Piece>
