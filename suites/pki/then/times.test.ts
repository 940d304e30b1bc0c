import { describe, expect, test } from 'vitest'
import { certified } from '../../../fixtures/pki/authorities.ts'
import { ecPair } from '../../../fixtures/pki/ec.ts'
import { x509 } from '../../../fixtures/pki/x509.ts'
import { type Expectation, type Reply, type Scope, StepFailed } from '../../../harness/vocabulary/index.ts'
import { backdatedBy, livesFor, neverLonger } from './lifetimes.ts'
import { isNewerThan, validForHours } from './revocation.ts'

const now = Date.parse('2026-01-10T12:00:00Z')
const [hour, minute] = [3_600_000, 60_000]

const replied = (bytes: Uint8Array | string, date: number | undefined = now): Reply => ({
  status: 200,
  headers: date === undefined ? {} : { date: new Date(date).toUTCString() },
  json: undefined,
  text: Buffer.from(bytes).toString(),
  bytes: Buffer.from(bytes),
  asked: 'GET pki/crl',
  at: date ?? now,
})
const undated = (bytes: Uint8Array | string): Reply => ({ ...replied(bytes), headers: {} })

const made = { value: () => `${now} 7`, fill: (text: string) => text, has: () => true } as unknown as Scope
const isMet = async (expectation: Expectation, reply: Reply): Promise<boolean> =>
  (await expectation.judge({ reply, scope: made }, undefined)) === undefined

async function list(thisUpdate: number, nextUpdate: number, number?: number): Promise<Uint8Array> {
  const { privateKey, signing } = await ecPair('ecAuthority')
  const { Extension, X509CrlGenerator } = await x509()
  const made = await X509CrlGenerator.create({
    issuer: 'CN=root.example',
    thisUpdate: new Date(thisUpdate),
    nextUpdate: new Date(nextUpdate),
    signingKey: privateKey,
    signingAlgorithm: signing,
    ...(number === undefined
      ? {}
      : { extensions: [new Extension('2.5.29.20', false, new Uint8Array([2, 1, number]))] }),
  })
  return Buffer.from(made.rawData)
}

describe('a list is valid for 72 hours', () => {
  const valid = validForHours(72)
  test.each([
    ['if it begins now', 0, 72 * hour],
    ['if it was made half a minute ago', -minute / 2, 72 * hour - minute / 2],
    ['if it is backdated, and valid for 72 hours from now', -2 * hour, 72 * hour],
    ['if both of its updates are half an hour earlier', -hour / 2, 71.5 * hour],
  ])('%s', async (_, from, to) => {
    expect(await isMet(valid, replied(await list(now + from, now + to)))).toBe(true)
  })

  test.each([
    ['it is valid for 24 hours', 0, 24 * hour],
    ['its 72 hours are over', -100 * hour, -28 * hour],
    ['its 72 hours have not begun', 10 * hour, 82 * hour],
    ['it is valid for an hour less', 0, 71 * hour],
    ['it is valid for an hour more', 0, 73 * hour],
  ])('but not if %s', async (_, from, to) => {
    expect(await isMet(valid, replied(await list(now + from, now + to)))).toBe(false)
  })

  test('also if the clock of the target is unknown', async () => {
    const away = now - 30 * hour
    expect(await isMet(valid, undated(await list(away, away + 72 * hour)))).toBe(true)
    expect(await isMet(valid, undated(await list(away, away + 24 * hour)))).toBe(false)
  })
})

test('a list is newer if its time is later or its number is higher', async () => {
  const newer = isNewerThan('made')
  const next = now + 72 * hour
  expect(await isMet(newer, replied(await list(now + 1000, next)))).toBe(true)
  expect(await isMet(newer, replied(await list(now, next, 8)))).toBe(true)
  expect(await isMet(newer, replied(await list(now, next, 7)))).toBe(false)
  expect(await isMet(newer, replied(await list(now, next)))).toBe(false)
})

describe('lifetimes', () => {
  const leaf = async () =>
    (
      await certified({
        name: 'leaf.example',
        key: 'ecLeaf',
        notBefore: new Date(now - minute / 2),
        notAfter: new Date(now + hour),
      })
    ).certificate

  test('are judged by the clock of the target', async () => {
    const reply = replied(await leaf())
    expect(await isMet(livesFor(3600), reply)).toBe(true)
    expect(await isMet(livesFor(7200), reply)).toBe(false)
    expect(await isMet(neverLonger(3600), reply)).toBe(true)
    expect(await isMet(neverLonger(1800), reply)).toBe(false)
    expect(await isMet(backdatedBy(30, 3600), reply)).toBe(true)
    expect(await isMet(backdatedBy(600, 3600), reply)).toBe(false)
    expect(await isMet(backdatedBy(17, 3600), reply)).toBe(false)
    // The lifetime shows that a reply was late.
    const late = replied(await leaf(), now + 40_000)
    expect(await isMet(backdatedBy(30, 3600), late)).toBe(true)
    expect(await isMet(backdatedBy(30, 1800), late)).toBe(false)
  })

  test('are judged by our clock with a tolerance if the target shows no time', async () => {
    for (const off of [0, -90_000, 90_000]) {
      const reply = { ...undated(await leaf()), at: now + off }
      expect(await isMet(livesFor(3600), reply)).toBe(true)
      expect(await isMet(livesFor(7200), reply)).toBe(false)
      expect(await isMet(neverLonger(3600), reply)).toBe(true)
      expect(await isMet(neverLonger(1800), reply)).toBe(false)
      expect(await isMet(backdatedBy(30, 3600), reply)).toBe(true)
      expect(await isMet(backdatedBy(600, 3600), reply)).toBe(false)
    }
    // Whether this lifetime is counted from a backdated NotBefore, only the target's clock could show.
    const reply = { ...undated(await leaf()), at: now + 90_000 }
    expect(() => backdatedBy(30, 3630).judge({ reply, scope: made }, undefined)).toThrow(StepFailed)
  })
})
