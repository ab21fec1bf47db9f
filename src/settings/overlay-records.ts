/** Records instead of files, by the path of the file without its extension: `{ 'v1/bikes': [ … ] }`. */
export type OverlayRecords = { readonly [file in `v1/${string}` | `v2/${string}`]?: readonly object[] }
