/** Draws QR codes as PNG of an exact size. */
import { refuse } from '../../../kernel/http/refusal.ts'
import { optionalPackage } from '../../../kernel/optional-package.ts'
import { pngOf } from './png.ts'

/** The possible widths of the white border, in modules. The first one with which the code fits the picture is used. */
const margins = [4, 2, 1, 0] as const

/** A code states which of the eight mask patterns it uses, and readers accept each of them. Drawing all eight and
 * choosing the best would take three times as long as drawing one. */
const maskPattern = 3

type Modules = ReturnType<typeof import('qrcode')['create']>['modules']

export async function modulesOf(text: string): Promise<Modules> {
  // The library is loaded for the first code, because most servers draw none.
  const { create } = await optionalPackage('qrcode', 'a QR code', () => import('qrcode'))
  // Looking for parts of the text with a shorter encoding would take as long as drawing them.
  const whole = [{ data: Buffer.from(text), mode: 'byte' }] as const
  return attempt(() => create([...whole], { errorCorrectionLevel: 'M', maskPattern })).modules
}

export const drawQrCode = async (text: string, size: number): Promise<Buffer> => draw(await modulesOf(text), size, size)

export function draw(modules: Modules, width: number, height: number): Buffer {
  const margin = margins.find((each) => modules.size + 2 * each <= width)
  if (margin === undefined)
    return refuse(
      `qr_size is ${width}; a QR code of this URL has ${modules.size} modules a side, and needs as many pixels`,
    )
  const scale = Math.floor(width / (modules.size + 2 * margin))
  const before = Math.floor((width - scale * modules.size) / 2)
  const moduleAt = (pixel: number): number => Math.floor((pixel - before) / scale)
  const isInside = (at: number): boolean => at >= 0 && at < modules.size
  const isBlack = (x: number, y: number): boolean => {
    const [column, row] = [moduleAt(x), moduleAt(y)]
    return isInside(column) && isInside(row) && modules.get(row, column) !== 0
  }
  return pngOf(width, height, isBlack, (y) => moduleAt(y) === moduleAt(y - 1))
}

function attempt<T>(draw: () => T): T {
  try {
    return draw()
  } catch {
    return refuse('the otpauth URL is too long for a QR code: give a shorter issuer, or a smaller key_size')
  }
}
