export default () => globalThis.catalogue.close()
