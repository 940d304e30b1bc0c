import { describe, expect, it } from 'vitest'
import { pkiTables } from '../tables/index.ts'
import { mutants } from './index.ts'

describe('faults', () => {
  it('have ids of their own and say what they do', () => {
    const ids = mutants.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id, does } of mutants) {
      expect(id).toMatch(/^pki\/[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(does).toMatch(/[.)]$/)
    }
  })

  it('change the tables, and only a copy of them', () => {
    const before = JSON.stringify(pkiTables)
    for (const { id, change } of mutants) expect(change(pkiTables), id).not.toEqual(pkiTables)
    expect(JSON.stringify(pkiTables)).toBe(before)
  })
})
