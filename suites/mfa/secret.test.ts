import { PNG } from 'pngjs'
import QRCode from 'qrcode'
import { describe, expect, test } from 'vitest'
import { type Json, type Reply, sizeBounds } from '../../harness/vocabulary/index.ts'
import { bytesOf, qrCodeIn, secretIn, secretOfQrCode } from './secret.ts'

const url =
  'otpauth://totp/Acme:e?algorithm=SHA1&digits=6&issuer=Acme&period=30&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const reply = (json: Json, status = 200): Reply => ({
  ...{ status, json, headers: {}, text: '', bytes: new Uint8Array(), asked: 'POST x', at: 0 },
})

/** Draws a QR code in modules of four pixels, black on white. */
function pngOf(text: string, higher = 0): string {
  const { modules } = QRCode.create(text)
  const [scale, quiet] = [4, 4]
  const side = (modules.size + 2 * quiet) * scale
  const png = new PNG({ width: side, height: side + higher })
  for (let y = 0; y < png.height; y += 1)
    for (let x = 0; x < side; x += 1) {
      const [row, column] = [y, x].map((at) => Math.floor(at / scale) - quiet) as [number, number]
      const inside = row >= 0 && column >= 0 && row < modules.size && column < modules.size
      const shade = inside && modules.get(row, column) ? 0 : 255
      png.data.set([shade, shade, shade, 255], (y * side + x) * 4)
    }
  return PNG.sync.write(png).toString('base64')
}

describe('a secret', () => {
  test.each([
    ['in data', { data: { url, barcode: '' } }],
    ['at the top level', { url }],
    ['deeper, under another name', { data: { totp: [{ uri: url }] } }],
    ['in lower case, in groups', { url: url.replace('JBSWY3DPEHPK3PXP', 'jbsw y3dp-ehpk3pxp') }],
    ['as a bare key', { data: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', name: 'x' } }],
    ['as a bare key in groups of lower case', [{ totp_key: 'jbsw y3dp ehpk 3pxp jbsw y3dp ehpk 3pxp' }]],
    ['in a QR code alone', { data: { image: pngOf(url) } }],
    ['in a QR code as a data URL', { data: { image: `data:image/png;base64,${pngOf(url)}` } }],
  ])('is found %s', (_where, json) => {
    expect(secretIn(reply(json))?.key).toBe('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
  })

  test.each([
    ['no data', { data: null, warnings: ['there is one'] }, 200],
    ['a refusal', { errors: [url] }, 400],
    ['another URL', { data: { url: 'https://example.com/?secret=ABC' } }, 200],
    ['a URL with a key that is not base32', { data: { url: 'otpauth://totp/x?secret=0189' } }, 200],
    ['a sentence in a field for a secret', { data: { secret: 'the entity has a secret already' } }, 200],
    ['a URL without a key', { data: { url: 'otpauth://totp/x?issuer=a' } }, 200],
  ])('is not found in %s', (_what, json, status) => expect(secretIn(reply(json, status))).toBeUndefined())

  test('has the bytes of its key, padded or not', () => {
    const secret = secretIn(reply({ url }))
    expect(secret && bytesOf(secret)).toBe(20)
    expect(secret && bytesOf({ ...secret, key: 'MZXW6===' })).toBe(3)
  })
})

describe('a QR code', () => {
  test('is measured and read', () => {
    const code = qrCodeIn(reply({ data: { barcode: pngOf(url) } }))
    expect(code?.width).toBe(code?.height)
    expect(code?.text).toBe(url)
    expect(code && secretOfQrCode(code)?.url?.searchParams.get('issuer')).toBe('Acme')
  })

  test('has its real height and width, even if they differ', () => {
    const code = qrCodeIn(reply({ data: { barcode: pngOf(url, 1) } }))
    expect((code?.height ?? 0) - (code?.width ?? 0)).toBe(1)
  })

  test('with other content has no secret', () => {
    const code = qrCodeIn(reply({ data: { barcode: pngOf('hello') } }))
    expect(code?.text).toBe('hello')
    expect(code && secretOfQrCode(code)).toBeUndefined()
  })

  test.each([
    ['in data that is not a PNG', 'AAAA'],
    ['in a part of a PNG', pngOf(url).slice(0, 100)],
  ])('is not found %s', (_what, barcode) => expect(qrCodeIn(reply({ data: { barcode } }))).toBeUndefined())
})

test('a URL beyond `otpauthUrl` is not read, and one within it is', () => {
  const ofLength = (length: number) => `${url}&x=`.padEnd(length, 'x')
  const most = sizeBounds.otpauthUrl.value
  expect(secretIn(reply({ url: ofLength(most) }))).toBeDefined()
  expect(secretIn(reply({ url: ofLength(most + 1) }))).toBeUndefined()
})

test('a picture beyond `pictureBytes` is not decoded, and one within it is', () => {
  const most = sizeBounds.pictureBytes.value
  expect(qrCodeIn(reply({ image: pngOf(url).padEnd(most, '=') }))?.text).toBe(url)
  expect(qrCodeIn(reply({ image: pngOf(url).padEnd(most + 1, '=') }))).toBeUndefined()
})

test('no picture is decoded after as many as `pictures` that are none', () => {
  const broken = (count: number) => Array(count).fill('iVBORw0KGgo=')
  const most = sizeBounds.pictures.value
  expect(qrCodeIn(reply([...broken(most - 1), pngOf(url)]))?.text).toBe(url)
  expect(qrCodeIn(reply([...broken(most), pngOf(url)]))).toBeUndefined()
})
