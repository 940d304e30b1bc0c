import { describe, expect, test } from 'vitest'
import { type Filter, loadCatalog, selectIn } from './catalog.ts'
import { selectChecks } from './selection.ts'

const filters: readonly Omit<Filter, 'level'>[] = [
  {},
  { area: ['cloud'] },
  { area: ['cloud', 'policies'], check: ['*/errors/*', '!policies/errors/*'] },
  { check: ['pki/errors/*', 'mfa-legacy/*'] },
  { check: ['!cloud/*'] },
]

describe.each(filters)('%j', (filter) => {
  test('selects what it selects in the whole catalog, and loads the areas of that', async () => {
    const whole = await loadCatalog()
    const { selected, leftOut } = selectIn(whole, { ...filter, level: 'should' })
    const selection = await selectChecks({ ...filter, level: 'should' })
    expect(selection.selected.map(({ address, level }) => [address, level])).toEqual(
      selected.map(({ address, level }) => [address, level]),
    )
    expect(selection.selected.every((one, at) => one.check === selected[at]?.check)).toBe(true)
    expect(selection.leftOut).toEqual(leftOut)
    expect(selection.catalog.requirements).toEqual(whole.requirements)
    expect(selection.catalog.paths).toEqual(whole.paths)
    const areas = new Set(selected.map(({ topic }) => topic.area))
    expect(selection.catalog.topics).toEqual(whole.topics.filter(({ topic }) => areas.has(topic.area)))
  })
})

test('names the check that an area leaves out', async () => {
  await expect(selectChecks({ area: ['pki'], check: ['cloud/*'], level: 'should' })).rejects.toThrow('add --area cloud')
})
