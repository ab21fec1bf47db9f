const pictureNames = ['"image_url', '"images', '"featured_image', '"url']

/** Stands between the name and the text of a path; nowhere else, because quotes within a text are escaped. */
const joint = '":"/'

/** Gives JSON in which each picture that is a path of this server has an absolute URL. */
export function absolutePictures (json: string, origin: string): string {
  const absolute = `":"${origin}/`
  const parts = json.split(joint)
  const isPicture = (part: string) => pictureNames.some(name => part.endsWith(name))
  return parts.map((part, index) => index === 0 ? part : (isPicture(parts[index - 1] as string) ? absolute : joint) + part).join('')
}
