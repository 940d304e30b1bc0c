/** The encodings in which a target could show a secret. */
const htmlOf = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** Each function returns a text in which a target could show a secret between two other values. */
export const encodings: Readonly<Record<string, (before: string, secret: string, after: string) => string>> = {
  plain: (before, secret, after) => before + secret + after,
  json: (before, secret, after) => JSON.stringify({ [before]: secret, after }),
  'json in json': (before, secret, after) => JSON.stringify(JSON.stringify([before, secret, after])),
  'json that escapes markup': (before, secret) =>
    JSON.stringify([before, secret]).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026'),
  html: (before, secret, after) => htmlOf(before + secret + after),
  'url component': (before, secret, after) => `https://x.example/?${before}=${encodeURIComponent(secret)}&${after}=1`,
  'url, lower case': (before, secret) =>
    before + encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  form: (before, secret, after) => new URLSearchParams({ [before]: secret, after }).toString(),
  'url path': (before, secret) => before + encodeURI(secret),
  base64: (before, secret, after) => Buffer.from(before + secret + after).toString('base64'),
  'base64 alone': (_before, secret) => Buffer.from(secret).toString('base64'),
  'base64, unpadded': (_before, secret) => Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  base64url: (before, secret, after) => Buffer.from(before + secret + after).toString('base64url'),
  'base64 in a url': (before, secret, after) =>
    encodeURIComponent(Buffer.from(before + secret + after).toString('base64')),
  hex: (before, secret, after) => Buffer.from(before + secret + after).toString('hex'),
  'hex, upper case': (before, secret, after) =>
    Buffer.from(before + secret + after)
      .toString('hex')
      .toUpperCase(),
  base32: (before, secret, after) => base32Of(Buffer.from(before + secret + after)),
  'base32, lower case, unpadded': (before, secret) =>
    base32Of(Buffer.from(before + secret))
      .toLowerCase()
      .replaceAll('=', ''),
  'base64 of UTF-16LE': (before, secret, after) => Buffer.from(before + secret + after, 'utf16le').toString('base64'),
  'base64url of UTF-16LE': (before, secret) => Buffer.from(before + secret, 'utf16le').toString('base64url'),
  'quoted-printable': (before, secret, after) => quotedPrintableOf(before + secret + after),
  'bytes in JSON': (before, secret, after) => JSON.stringify({ [before]: [...Buffer.from(secret)], after }),
  'bytes in indented JSON': (before, secret) => JSON.stringify([...Buffer.from(before + secret)], undefined, 2),
  'bytes as Go prints them': (before, secret, after) => `[${[...Buffer.from(before + secret + after)].join(' ')}]`,
  'signed bytes': (_before, secret) => `[${new Int8Array(Buffer.from(secret)).join(', ')}]`,
}

/** Encodes as RFC 4648, by bits. */
function base32Of(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const text = bits.replace(/.{1,5}/g, (five) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(five.padEnd(5, '0'), 2)),
  )
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=')
}

/** Encodes as RFC 2045, with lines of 76 characters. */
function quotedPrintableOf(text: string): string {
  const tokens = [...Buffer.from(text)].map((byte) =>
    byte === 61 || byte < 33 || byte > 126
      ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
      : String.fromCharCode(byte),
  )
  let [out, width] = ['', 0]
  for (const token of tokens) {
    if (width + token.length > 75) [out, width] = [`${out}=\r\n`, 0]
    out += token
    width += token.length
  }
  return out
}
