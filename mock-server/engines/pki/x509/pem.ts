/** Writes and reads PEM: blocks of base64 with a label. */
import { Malformed } from './reader.ts'

export interface Block {
  readonly label: string
  readonly der: Buffer
}

/** Returns a block without a newline at the end, so that blocks can be joined by one. */
export function pem(label: string, der: Buffer): string {
  const text = der.toString('base64')
  let lines = ''
  for (let at = 0; at < text.length; at += 64) lines += `${text.slice(at, at + 64)}\n`
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----`
}

/** Returns every block of a text, in order. A block begins at the start of a line; all other text is skipped. A block that
 * is cut short is malformed. */
export function readPem(text: string): Block[] {
  if (/^Proc-Type: 4,ENCRYPTED/m.test(text)) throw new Malformed('a PEM block is encrypted')
  const begins = text.match(/^-----BEGIN /gm)?.length ?? 0
  const blocks = [...text.matchAll(/^-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/gm)].map(
    ([, label = '', body = '']) => ({ label, der: base64(label, body.replaceAll(/\s/g, '')) }),
  )
  if (blocks.length !== begins) throw new Malformed('a PEM block has no end')
  return blocks
}

function base64(label: string, body: string): Buffer {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body) || body.length % 4 !== 0)
    throw new Malformed(`the PEM block ${label} does not hold base64`)
  return Buffer.from(body, 'base64')
}
