import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { settingsTable, variablesOf, type Setting } from '../../src/settings/settings.ts'
import { startServer } from '../../tools/process.ts'
import { folder, outputOf } from './machines.ts'

type Probe = { httpGet: { path: string, port: string } }
type Container = {
  image: string
  securityContext: object
  resources: object
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
}
type Volume = { name: string, configMap?: { name: string, items: { key: string, path: string }[] } }
type Pod = { enableServiceLinks: boolean, securityContext: object, containers: [Container], volumes: Volume[] }
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string, labels: object }
  data: Record<string, string>
  spec: {
    replicas: number
    selector: object
    template: { metadata: { labels: object }, spec: Pod }
    minAvailable: number
  }
}

/** The constructor of a model of the Kubernetes API. */
type Kind = new (from: Manifest) => { validate: () => void }

const text = readFileSync('deploy/kubernetes.yaml', 'utf8')
const manifests = parseAllDocuments(text).map(document => document.toJS() as Manifest)
const one = (kind: string, name = 'bicycle-catalogue') =>
  manifests.find(({ kind: other, metadata }) => other === kind && metadata.name === name) as Manifest

test('deploy/kubernetes.yaml is valid by the schemas of the Kubernetes API', async t => {
  const cwd = folder(t)
  outputOf('npm', 'install', '--prefix', cwd, '--silent', '--no-audit', '--no-fund', 'kubernetes-models@5.1.0')
  const validate = async (manifest: Manifest) => {
    const path = join(cwd, 'node_modules/kubernetes-models', manifest.apiVersion, 'index.js')
    const kinds = await import(pathToFileURL(path).href) as Record<string, Kind>
    new (kinds[manifest.kind] as Kind)(manifest).validate()
  }
  t.same(manifests.map(({ kind }) => kind), ['ConfigMap', 'ConfigMap', 'Deployment', 'Service', 'PodDisruptionBudget'])
  for (const manifest of manifests) await validate(manifest)
  const { spec, ...deployment } = one('Deployment')
  await t.rejects(validate({ ...deployment, spec: { ...spec, replicas: 'two' as never } }), /replicas must be integer/)
})

test('deploy/kubernetes.yaml runs two unprivileged servers with its ConfigMaps and probes', async t => {
  const { replicas, selector, template: { metadata, spec: pod } } = one('Deployment').spec
  const [container] = pod.containers
  const budget = one('PodDisruptionBudget').spec
  t.same([replicas, budget.minAvailable], [2, 1])
  const selectors = [selector, budget.selector, { matchLabels: one('Service').spec.selector }]
  t.same(selectors, Array(3).fill({ matchLabels: metadata.labels }))
  t.match(pod, {
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true }
  })
  t.match(container, {
    securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    resources: { limits: { memory: '128Mi' } }
  })
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  t.equal(container.image, `ghcr.io/OWNER/bicycle-catalogue:v${version}`, 'as release.yml tags it')

  const variables = Object.entries<Setting>(settingsTable).flatMap(([key, row]) => variablesOf(key, row))
  for (const [, name = ''] of text.matchAll(/(BICYCLE_CATALOGUE_\w+): /g)) {
    t.ok(variables.includes(name), `${name} is a setting`)
  }

  const mounted = folder(t)
  for (const { name, configMap } of pod.volumes) {
    for (const { key, path } of configMap?.items ?? []) {
      // As the kubelet mounts it: links to a directory that is replaced as a whole.
      mkdirSync(join(mounted, name, '..1/v1'), { recursive: true })
      writeFileSync(join(mounted, name, '..1', path), one('ConfigMap', configMap?.name).data[key] as string)
      symlinkSync('..1', join(mounted, name, '..data'))
      symlinkSync('..data/v1', join(mounted, name, 'v1'))
    }
  }
  const secret = join(mounted, 'token-secret')
  writeFileSync(secret, 'c2VjcmV0LW9mLWJvdGgtc2VydmVycy1sb25nLWVub3VnaA==', { mode: 0o600 })
  const flags = Object.entries(one('ConfigMap').data).flatMap(([name, value]) => [
    name.replace('BICYCLE_CATALOGUE_', '--').replaceAll('_', '-').toLowerCase(),
    value.replace(/^\/overlay$/, join(mounted, 'overlay')).replace(/^\/run\/secrets\/.*/, secret)
  ])
  const server = await startServer(flags)
  t.teardown(() => server.stop())
  for (const { httpGet: { path } } of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
    t.equal((await fetch(server.url + path)).status, 200, path)
  }
  t.match(await (await fetch(`${server.url}/api/v1/saddles/`)).text(), '"Acme"')
})
