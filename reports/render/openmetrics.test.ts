import { expect, test } from 'vitest'
import { renderOpenMetrics } from './openmetrics.ts'
import { sampleDocument } from './sample/document.ts'

const sample = sampleDocument()
const text = renderOpenMetrics({ ...sample, target: { ...sample.target, name: 'a "b"\\\nassay_fake 1' } })
const lines = text.split('\n')

test('each line is a comment or a gauge, and a text of the target stays in its label', () => {
  const line = /^(# (HELP|TYPE) assay_[a-z_]+ .+|# EOF|assay_[a-z_]+\{([a-z]+="([^"\\\n]|\\["\\])*",?)+\} -?[0-9.e+]+)$/
  expect(lines.filter((one) => one !== '' && !line.test(one))).toEqual([])
  expect(lines.slice(-2)).toEqual(['# EOF', ''])
  expect(lines.filter((one) => one.startsWith('assay_fake'))).toEqual([])
})

test('has the verdict, the counts and the end of the run', () => {
  const samplesOf = (of: RegExp) => lines.filter((one) => of.test(one)).map((one) => Number(one.split(' ').at(-1)))
  expect(samplesOf(new RegExp(`^assay_run_verdict\\{.*verdict="${sample.verdict.word}"`))).toEqual([1])
  expect(samplesOf(/^assay_run_verdict/).reduce((sum, one) => sum + one)).toBe(1)
  expect(samplesOf(/^assay_checks\{/).reduce((sum, one) => sum + one)).toBe(sample.checks.length)
  expect(samplesOf(/^assay_run_finished_timestamp_seconds/)).toEqual([Date.parse(sample.run.finishedAt) / 1000])
})
