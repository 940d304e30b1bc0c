import { deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { type Reply, type Scope, StepFailed } from '../../harness/vocabulary/index.ts'
import { pictureIn } from './picture.ts'
import { qrCodeIn } from './secret.ts'
import { qrCodeCarriesTheSecret, qrCodeOf } from './then-secrets.ts'

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, data, Buffer.alloc(4)])
}

function png(width: number, height: number, data: Buffer, interlaced = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, interlaced], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

const replyWith = (bytes: Buffer): Reply => {
  const json = { data: { barcode: bytes.toString('base64') } }
  const text = JSON.stringify(json)
  return { status: 200, headers: {}, json, text, bytes: Buffer.from(text), asked: 'POST generate', at: 0 }
}
const scope = {} as Scope

test('a picture of 30 000 by 30 000 pixels is measured and not decoded', () => {
  const reply = replyWith(png(30_000, 30_000, deflateSync(Buffer.alloc(1_000_000))))
  expect(qrCodeIn(reply)).toMatchObject({ width: 30_000, height: 30_000, isTooLarge: true, text: undefined })
  expect(qrCodeOf(200).judge({ reply, scope }, undefined)).toMatchObject({ saw: '30000 by 30000 pixels' })
  expect(() => qrCodeCarriesTheSecret.judge({ reply, scope }, undefined)).toThrow(StepFailed)
})

test.each([0, 1])('pixels that inflate to more bytes than expected are not decoded (interlaced: %d)', (interlaced) => {
  expect(pictureIn(png(10, 10, deflateSync(Buffer.alloc(50_000_000)), interlaced))).toBeUndefined()
})

test('a chunk longer than the file, and other bytes, are not a picture', () => {
  const whole = PNG.sync.write(new PNG({ width: 4, height: 4 }))
  expect(pictureIn(whole)).toMatchObject({ width: 4, height: 4 })
  const lying = Buffer.from(whole)
  lying.writeUInt32BE(0xfffffff0, 33)
  expect(pictureIn(lying)).toBeUndefined()
  expect(pictureIn(whole.subarray(0, 20))).toBeUndefined()
})
