import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { readQrCode } from '../../../test-beds/qr-reader.test-bed.ts'
import { pngOf } from './png.ts'
import { drawQrCode, modulesOf } from './qr-code.ts'

const url = 'otpauth://totp/Example:2783e492-951d-4873-b2a0-a5ef50c977d1?algorithm=SHA1&digits=6&secret=LAJ2I6MS2OZNS6'

describe('a QR code', () => {
  test.each([100, 127, 199, 200, 201, 256, 333, 1000])(
    'of %i pixels has that size, and an independent reader reads it',
    async (size) => {
      const picture = await drawQrCode(url, size)
      expect(PNG.sync.read(picture)).toMatchObject({ width: size, height: size })
      expect(readQrCode(picture)).toBe(url)
    },
  )

  test('with one pixel per module fits exactly', async () => {
    const { size: modules } = await modulesOf(url)
    expect(PNG.sync.read(await drawQrCode(url, modules)).width).toBe(modules)
    await expect(drawQrCode(url, modules - 1)).rejects.toThrow(`qr_size is ${modules - 1}`)
  })

  test('is refused if the text is too long for any QR code', async () => {
    await expect(drawQrCode('x'.repeat(3_000), 1000)).rejects.toThrow('too long')
  })
})

describe('a picture', () => {
  test.each([
    [1, 1],
    [7, 3],
    [8, 8],
    [9, 2],
    [17, 5],
  ])('of %i by %i pixels has the requested size and content', (width, height) => {
    const isBlack = (x: number, y: number): boolean => (x * 3 + y * 5) % 4 === 1
    const { data, ...size } = PNG.sync.read(pngOf(width, height, isBlack))
    expect(size).toMatchObject({ width, height })
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) expect(data[4 * (y * width + x)]).toBe(isBlack(x, y) ? 0 : 255)
  })
})
