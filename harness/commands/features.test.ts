import { expect, test } from 'vitest'
import { faultOfForm, featuresOfForms, knownFeatures, knownForms, subjectOf } from '../targets/features.ts'
import { loadCatalog } from './catalog.ts'

test('features that a profile may declare are those that the suites tell apart', async () => {
  const { requirements, topics } = await loadCatalog()
  const bounds = [...requirements, ...topics.flatMap(({ topic }) => topic.checks)].map(({ applies }) => applies)
  const named = bounds.flatMap((applies) => [applies?.feature ?? [], applies?.without ?? []].flat())
  expect(new Set(named)).toEqual(new Set(knownFeatures))
})

test('a form says the same of all features of its subject', () => {
  expect(featuresOfForms({ cloud: 'older', 'mfa-legacy': 'served' })).toMatchObject({
    'cloud.static-roles': 'absent',
    'cloud.session-tags': 'absent',
    'mfa-legacy': 'served',
  })
  expect(Object.keys(featuresOfForms({ 'plugin-catalog': 'newer' }))).toEqual([
    'plugin-catalog.oci-image',
    'plugin-catalog.runtime',
  ])
  expect(new Set(knownFeatures.map(subjectOf))).toEqual(new Set(Object.keys(knownForms)))
})

test('an unknown form is told with what may be meant', () => {
  expect(faultOfForm('cloud', 'newer')).toBeUndefined()
  expect(faultOfForm('clouds', 'newer')).toContain('did you mean "cloud"?')
})
