/** Computes how far apart two colours are for readers with usual sight, and with the two common kinds of colour
 * blindness. */

type Triple = readonly [number, number, number]
type Matrix = readonly [Triple, Triple, Triple]

/** What each kind of sight makes of linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1). */
export const sights = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
} as const satisfies Readonly<Record<string, Matrix>>

/** From linear red, green and blue to the cone responses of the colour space Oklab, and from there to its axes. */
const toCones: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const toAxes: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]

const times = (matrix: Matrix, [x, y, z]: Triple): Triple => {
  const [first, second, third] = matrix.map(([a, b, c]) => a * x + b * y + c * z)
  return [first ?? 0, second ?? 0, third ?? 0]
}

const linear = (colour: string): Triple => {
  const of = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [of(1), of(3), of(5)]
}

const each = ([x, y, z]: Triple, change: (value: number) => number): Triple => [change(x), change(y), change(z)]

/** Returns the distance in Oklab, in hundredths: about 2 is the smallest that can be seen side by side. */
export function distance(one: string, other: string, sight: keyof typeof sights): number {
  const seen = (colour: string): Triple => {
    const cones = times(
      toCones,
      each(times(sights[sight], linear(colour)), (value) => Math.min(1, Math.max(0, value))),
    )
    return times(toAxes, each(cones, Math.cbrt))
  }
  const [a, b] = [seen(one), seen(other)]
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

/** Returns the contrast of two colours by WCAG. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other]
    .map((colour) => {
      const [red, green, blue] = linear(colour)
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    })
    .toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}
