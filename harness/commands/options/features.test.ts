import { expect, test } from 'vitest'
import { faultOfForm, featuresOfForms, knownFeatures, knownForms, subjectOf } from '../../targets/features.ts'
import { loadCatalog } from '../catalog.ts'

test('a profile may declare exactly the features that the suites distinguish', async () => {
  const { requirements, topics } = await loadCatalog()
  const bounds = [...requirements, ...topics.flatMap(({ topic }) => topic.checks)].map(({ applies }) => applies)
  const named = bounds.flatMap((applies) => [applies?.feature ?? [], applies?.without ?? []].flat())
  expect(new Set(named)).toEqual(new Set(knownFeatures))
})

test('a form declares all features of its subject at once', () => {
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

test('the message about an unknown form suggests a similar one', () => {
  expect(faultOfForm('cloud', 'newer')).toBeUndefined()
  expect(faultOfForm('clouds', 'newer')).toContain('did you mean "cloud"?')
})
