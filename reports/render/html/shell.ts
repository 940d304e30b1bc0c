import { createHash } from 'node:crypto'
import { markup } from '../escape.ts'
import { favicon, iconSheet } from './icons.ts'

interface Shell {
  /** The title as text, not as markup. */
  readonly title: string
  readonly icon: string
  readonly colour: string
  readonly style: string
  /** The only script of the page; the body contains it. If it is undefined, no script may run. */
  readonly script?: string
  readonly generator?: string
  /** A link that skips the head of the page. */
  readonly skip?: string
  /** The content of the page as markup. */
  readonly body: string
}

const hash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** Wraps a body into one HTML file that requests nothing from the network, with a policy that blocks everything
 * else. */
export function htmlPage({ title, icon, colour, style, script, generator, skip, body }: Shell): string {
  const policy = [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src '${hash(script)}'`]),
    `style-src '${hash(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${generator === undefined ? '' : `<meta name="generator" content="${markup(generator)}">\n`}<title>${markup(title)}</title>
<link rel="icon" href="${favicon(icon, colour)}">
<style>${style}</style>
</head>
<body>
${skip === undefined ? '' : `${skip}\n`}${iconSheet}
${body}
</body>
</html>
`
}
