import { expect, test } from 'vitest'
import { faultOfForm, knownForms } from '../targets/known-forms.ts'
import { loadCatalog } from './catalog.ts'

test('forms that a profile may declare are those that the suites tell apart', async () => {
  const { requirements, topics } = await loadCatalog()
  const bounds = [...requirements, ...topics.flatMap(({ topic }) => topic.checks)].map(({ applies }) => applies?.form)
  const forms = bounds.flatMap((form) => Object.entries(form ?? {}))
  expect(forms.flatMap(([subject, shape]) => faultOfForm(subject, shape) ?? [])).toEqual([])
  expect(new Set(forms.map(([subject]) => subject))).toEqual(new Set(Object.keys(knownForms)))
})
