/** Reads each sentence of each check as somebody would who sees it in a report for the first time. */
import { expect, test } from 'vitest'
import { type Check, type Step, stepWords, type Topic } from '../harness/vocabulary/index.ts'
import { topics } from './index.ts'

const checks = topics.flatMap(({ topic }) => topic.checks.map((check) => ({ topic, check })))

const sentencesOf = ({ given = [], when, then, control }: Check): readonly string[] => [
  ...[...given, when, ...(control ? [control] : [])].map(stepWords),
  ...then.map(({ words }) => words),
]

/** Returns the sentences that break a rule, each once, with the first check that has it. */
function breaking(isBroken: (sentence: string, topic: Topic, check: Check) => unknown): readonly string[] {
  const found = new Map<string, string>()
  for (const { topic, check } of checks)
    for (const sentence of sentencesOf(check))
      if (!found.has(sentence) && isBroken(sentence, topic, check)) found.set(sentence, `${topic.id}/${check.id}`)
  return [...found].map(([sentence, id]) => `${sentence} (${id})`)
}

const withoutCode = (sentence: string): string => sentence.replaceAll(/`[^`]*`|"[^"]*"/g, '…')

const negation = /\b(?:no|not|none|nothing|nobody|nowhere|never|neither|nor|without|cannot|lacks?)\b/g
const clausesOf = (sentence: string): readonly string[] => sentence.split(/[,;:(]|\b(?:and|or|where|if|until|so)\b/)

test('no clause has two negations', () => {
  const isDouble = (sentence: string) =>
    clausesOf(withoutCode(sentence)).some((clause) => (clause.match(negation)?.length ?? 0) > 1)
  expect(breaking(isDouble)).toEqual([])
})

const unclear: Readonly<Record<string, RegExp>> = {
  'is none': /\bis none\b/,
  'none but': /\b(?:none|nothing|anything|nobody|no \w+(?: \w+)?) but\b/,
  'then at the end': / then(?: as before)?$/,
  'nobody for a request without a token': /\bas nobody\b/,
  'count in brackets': /\(s\)/,
  'tells for shows': /\btells?\b/,
}

test.each(Object.entries(unclear))('no sentence says it unclearly: %s', (_, pattern) => {
  expect(breaking((sentence) => pattern.test(withoutCode(sentence)))).toEqual([])
})

test('a request with a body says what is in the body', () => {
  const isBare = ({ when, control }: Check) =>
    [when, ...(control ? [control] : [])].some(
      (one) => one.kind === 'exchange' && one.body !== undefined && /^\w+ `?[^` ]+`?$/.test(stepWords(one)),
    )
  expect(checks.filter(({ check }) => isBare(check)).map(({ topic, check }) => `${topic.id}/${check.id}`)).toEqual([])
})

/** Returns the names whose values the steps save, and those of their tokens. */
function savedBy(step: Step | Check['when']): readonly string[] {
  if (step.kind === 'exchange') return Object.keys(step.saves ?? {})
  return step.provides ?? []
}

const savesSomething = (step: Step | Check['when']): boolean => savedBy(step).length > 0

test('each saved value and each token that is named in code is introduced by a step', () => {
  const isUnexplained = (sentence: string, { names }: Topic, { given = [], when }: Check) => {
    const introduced = [...given, when].map(stepWords).filter((one) => one !== sentence)
    const saved = new Set([...given, when].flatMap(savedBy))
    const codes = [...sentence.matchAll(/(token )?`([A-Za-z]\w*)`/g)]
    return codes.some(
      ([, token, name = '']) =>
        (token || saved.has(name)) && !names.includes(name) && !introduced.some((one) => one.includes(`\`${name}\``)),
    )
  }
  const introducing = new Set(
    checks.flatMap(({ check: { given = [], when } }) => [...given, when].filter(savesSomething).map(stepWords)),
  )
  expect(
    breaking((sentence, topic, check) => !introducing.has(sentence) && isUnexplained(sentence, topic, check)),
  ).toEqual([])
})

test('each placeholder is a name of the topic or of a step', () => {
  const isUnknown = (sentence: string, { names }: Topic, { given = [], when }: Check) => {
    const known = new Set([
      ...names,
      ...given.flatMap(savedBy),
      ...(when.kind === 'exchange' ? [] : (when.provides ?? [])),
    ])
    return [...sentence.matchAll(/\{([A-Za-z]\w*)\}/g)].some(([, name = '']) => !known.has(name))
  }
  expect(breaking(isUnknown)).toEqual([])
})
