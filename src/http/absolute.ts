// Quotes within a text are escaped in JSON, so that this finds the names and beginnings of whole values only.
const picturePaths = /"(image_url|images|featured_image|url)":"(?=\/)/g

/** Gives JSON in which each picture that is a path of this server has an absolute URL. */
export function absolutePictures (json: string, origin: string): string {
  return json.replace(picturePaths, (start: string) => start + origin)
}
