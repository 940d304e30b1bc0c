import { describe, expect, it } from 'vitest'
import { pkiTables } from '../tables/index.ts'
import { mutants } from './index.ts'

describe('mutants', () => {
  it('have unique ids, and a sentence that says what they do', () => {
    const ids = mutants.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id, does } of mutants) {
      expect(id).toMatch(/^pki\/[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(does).toMatch(/[.)]$/)
    }
  })

  it('change a copy of the tables, never the tables themselves', () => {
    const before = JSON.stringify(pkiTables)
    for (const { id, change } of mutants) expect(change(pkiTables), id).not.toEqual(pkiTables)
    expect(JSON.stringify(pkiTables)).toBe(before)
  })
})
