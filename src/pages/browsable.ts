import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import type { Asked } from '../http/asked.ts'

type Answer = { title: string, method: string, target: string, status: number, headers: Record<string, unknown>, json: string }

/** Gives the browsable page of an answer: its request line, status, headers and JSON. */
export function browsablePage ({ title, method, target, status, headers, json }: Answer): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<pre>${method} ${target}</pre>
<pre>HTTP ${status} ${STATUS_CODES[status]}
${Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\n`)}</pre>
<pre>${json}</pre>
</body>
</html>
`
}

/** Gives the browsable page of a list. */
export function browsableList ({ resource, target }: Asked, json: string): string {
  return browsablePage({ title: resource.name, method: 'GET', target, status: 200, headers: {}, json })
}
