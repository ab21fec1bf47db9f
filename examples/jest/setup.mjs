// npm install --save-dev jest ./bicycle-catalogue-1.0.0.tgz; npx jest
import { start } from 'bicycle-catalogue'

export default async function setup () {
  // Links begin with the public URL instead of the random port, so snapshots stay equal.
  const publicUrl = 'http://catalogue.test'
  globalThis.catalogue = await start({ tokens: ['ci'], simulate: true, publicUrl })
  process.env.CATALOGUE = globalThis.catalogue.url
}
