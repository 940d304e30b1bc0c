import { readdirSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadDialect } from '../harness/targets/dialects/index.ts'
import { sentBy } from '../harness/targets/sent-by.ts'
import type { Check, Exchange, Step, Topic } from '../harness/vocabulary/index.ts'
import { addressOf, askedBy, lacksTwin, requirementsOf } from '../harness/vocabulary/index.ts'
import { foundationIds } from './foundations.ts'
import { requirements, topics } from './index.ts'
import { killMatrix, withMutants } from './kill-matrix.ts'
import { withoutTwin } from './without-twin.ts'

const all = topics.flatMap(({ topic }) => topic.checks.map((check) => ({ topic, check, id: addressOf(topic, check) })))
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/

const templatesIn = (value: unknown): string[] =>
  [...(JSON.stringify(value) ?? '').matchAll(/\{([A-Za-z][\w-]*)\}/g)].map((match) => match[1] ?? '')

function providedBy(step: Step | Check['when']): string[] {
  if (step.kind === 'exchange') return Object.keys(step.saves ?? {})
  return 'provides' in step ? [...(step.provides ?? [])] : []
}

/** Returns the name of the token that an exchange uses, unless it is one of the two tokens that every scope has. */
const asked = (exchange: Exchange): string[] =>
  exchange.as === undefined || ['operator', 'nobody'].includes(exchange.as) ? [] : [exchange.as]

/** Returns the names that a check uses before any step provides them, or that no step provides. */
function undeclared(topic: Topic, check: Check): string[] {
  const known = new Set([...topic.names, 'use'])
  const missing: string[] = []
  const use = (value: unknown): void => {
    for (const name of templatesIn(value)) if (!known.has(name)) missing.push(name)
  }
  const send = (exchange: Exchange): void => {
    const { words: _, undo, ...sent } = exchange
    use(sent)
    // An undo may use a name that the reply provided.
    for (const name of Object.keys(exchange.saves ?? {})) known.add(name)
    if (undo) use({ path: undo.path, query: undo.query, body: undo.body })
    missing.push(...asked(exchange).filter((name) => !known.has(name)))
  }
  const perform = (step: Step | Check['when']): void => {
    if (step.kind === 'exchange') send(step)
    else if (step.kind === 'operation') use(step.args)
    for (const name of providedBy(step)) known.add(name)
    if ('touches' in step) for (const exchange of step.touches) send(exchange)
  }
  for (const step of check.given ?? []) perform(step)
  perform(check.when)
  for (const expectation of check.then) for (const exchange of expectation.touches ?? []) send(exchange)
  if (check.control) send(check.control)
  return missing
}

describe('topics', () => {
  test('are in the file that their ids name, or in the table of a shared folder', () => {
    for (const { topic, file } of topics)
      expect(
        [topic.id, 'mfa/topics', 'replication/topics'].some((path) => file.endsWith(`suites/${path}.ts`)),
        `${topic.id} in ${file}`,
      ).toBe(true)
  })

  test('are all in the index, with the file that exports them', async () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
      .filter((file) =>
        /^[a-z-]+\/(topics|(fields|transitions|errors|limits|versions|access)(-[a-z-]+)?)\.ts$/.test(file),
      )
      .map((file) => join(import.meta.dirname, file))
    const exported = await Promise.all(
      files.map(async (file) => {
        const { default: found } = (await import(file)) as { default: Topic | readonly Topic[] }
        return [found].flat().map(({ id }) => `${id} in ${file}`)
      }),
    )
    expect(exported.flat().sort()).toEqual(topics.map(({ topic, file }) => `${topic.id} in ${file}`).sort())
  })
})

describe('checks', () => {
  test('rest on checks that exist, and not on themselves', () => {
    const known = new Set(all.map(({ id }) => id))
    const wrong = all.flatMap(({ id, check }) =>
      (check.given ?? []).flatMap((step) =>
        step.kind === 'action' && step.restsOn !== undefined && (step.restsOn === id || !known.has(step.restsOn))
          ? [`${id} rests on ${step.restsOn}`]
          : [],
      ),
    )
    expect(wrong).toEqual([])
  })

  test('meet each rule about grounds, neighbours and companions', () => {
    const dialect = loadDialect('vault')
    const areas = Object.values(Object.groupBy(all, ({ topic }) => topic.area))
    const dead = areas.flatMap((ofArea) => {
      const sent = ofArea.flatMap(({ check }) => sentBy(check, dialect).map(askedBy))
      const rules = ofArea.flatMap(({ topic: { grounds = [], neighbours = [], companions = [] } }) => [
        ...grounds.flatMap(({ leave, grows, restores = [] }) => [leave, grows, ...restores.map(({ after }) => after)]),
        ...neighbours.map(({ before }) => before),
        ...companions.map(({ to }) => to),
      ])
      return [...new Set(rules)].filter((rule) => rule && !sent.some((asked) => rule.test(asked)))
    })
    expect(dead).toEqual([])
  })

  test('have unique ids in kebab case, which are those of the snapshot', async () => {
    const ids = all.map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(all.filter(({ check }) => !kebab.test(check.id)).map(({ id }) => id)).toEqual([])
    const mend =
      'ids of checks are an interface; if this change is meant: npx vitest run suites/catalog-consistency.test.ts -u'
    await expect(`${ids.join('\n')}\n`, mend).toMatchFileSnapshot('ids.snapshot.txt')
  })

  test('use only names that a step provides', () => {
    const missing = all.flatMap(({ topic, check, id }) => undeclared(topic, check).map((name) => `${id}: {${name}}`))
    expect(missing).toEqual([])
  })

  test('leave the name to the harness that stands before names on shared ground', () => {
    const taken = all.filter(
      ({ topic, check }) =>
        topic.names.includes('use') || [...(check.given ?? []), check.when].flatMap(providedBy).includes('use'),
    )
    expect(taken.map(({ id }) => id)).toEqual([])
  })

  test('undo what they create', () => {
    const created = all.flatMap(({ topic, check, id }) => {
      const posts = [...(check.given ?? []), check.when].flatMap((step) => {
        if (step.kind === 'exchange') return [step]
        return 'touches' in step ? step.touches : []
      })
      // A request that undoes another request creates nothing itself.
      const undone = new Set(posts.flatMap((step) => (step.undo ? [step.path, step.undo.path] : [])))
      // Objects on a throw-away mount disappear with it.
      const mounts = (check.given ?? []).flatMap((step) =>
        step.kind === 'operation' && step.operation === 'mount' ? [`{${String(step.args.as)}}/`] : [],
      )
      // Objects in a mount of `sys/mounts` disappear with it, and so does everything that a cluster does in a role that
      // the undo ends.
      const places = posts.flatMap(({ undo }) => {
        if (undo?.restoration === 'replication-off') return [undo.path.replace('primary/disable', '')]
        return undo?.path.includes('sys/mounts/') ? [`${undo.path.replace('sys/mounts/', '')}/`] : []
      })
      const goes = (step: Exchange): boolean =>
        step.undo !== undefined ||
        undone.has(step.path) ||
        [...mounts, ...places].some((place) => step.path.startsWith(place))
      return posts
        .filter((step) => step.method === 'POST' && !goes(step))
        .map((step) => `${id} ${topic.id} ${step.path}`)
    })
    expect(created).toEqual([])
  })

  test('that expect a refusal show that the target would accept such a request', () => {
    const alone = all.filter(({ check }) => lacksTwin(check)).map(({ id }) => id)
    const stated = (id: string) => withoutTwin.some(({ check }) => matchesGlob(id, check))
    expect(
      alone.filter((id) => !stated(id)),
      'give the check a `control`',
    ).toEqual([])
    const stale = withoutTwin.filter(({ check }) => !alone.some((id) => matchesGlob(id, check)))
    expect(stale).toEqual([])
  })

  test('name known requirements and a mutant', () => {
    const known = new Set(requirements.map((requirement) => requirement.id))
    for (const { check, id } of all) {
      expect(
        requirementsOf(check).filter((requirement) => !known.has(requirement)),
        id,
      ).toEqual([])
      expect(check.mutants.length, id).toBeGreaterThan(0)
      for (const mutant of check.mutants) expect(mutant, id).toMatch(/^[a-z-]+\/[a-z0-9-]+$/)
      expect(new Set(check.mutants).size, id).toBe(check.mutants.length)
    }
  })

  test('cannot name mutants beside the kill matrix', () => {
    const [{ topic } = expect.fail('no topic')] = topics
    expect(() => withMutants(topic)).toThrow(/names mutants: leave them out/)
  })

  test('are those of the kill matrix, in its order', () => {
    expect(Object.keys(killMatrix)).toEqual(all.map(({ id }) => id).toSorted())
  })
})

describe('requirements', () => {
  test('that conditions and expectations name are decided by a check of their own', () => {
    const decided = new Set(all.flatMap(({ check }) => requirementsOf(check)))
    const named = [
      ...topics.flatMap(({ topic }) => topic.conditions?.requirements ?? []),
      ...all.flatMap(({ check }) => check.then.flatMap(({ requirement }) => requirement ?? [])),
      ...all.flatMap(({ check: { frame = [] } }) =>
        frame.flatMap(({ gone, changed }) => [gone, ...Object.values(changed)]),
      ),
      ...foundationIds,
    ]
    expect(named.filter((id) => !decided.has(id))).toEqual([])
    expect(named).toContain('pki.issue.whole')
  })

  test('that underlie others are known to be needed by some, and by none about secrets as a whole', () => {
    const ids = requirements.map(({ id }) => id)
    const secrets = ids.filter((id) => /hidden$|nowhere$|unshown$/.test(id))
    const underlying = requirements.flatMap(({ id, underlies = [] }) => underlies.map((one) => ({ id, ...one })))
    for (const { id, parts, rows = [] } of underlying) {
      const needed = (among: readonly string[]) => among.filter((one) => rows.some((row) => matchesGlob(one, row)))
      expect(needed(ids).length > 0 || parts, id).toBeTruthy()
      if (!parts) expect(needed(secrets), id).toEqual([])
    }
  })

  test('have unique ids that begin with their area', () => {
    const ids = requirements.map((requirement) => requirement.id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    for (const { id, area } of requirements) {
      expect(id.startsWith(`${area}.`), id).toBe(true)
      expect(
        id.split('.').every((part) => kebab.test(part)),
        id,
      ).toBe(true)
    }
  })

  test('have a check if they can be observed, and none if they are open', () => {
    const decided = new Set(all.flatMap(({ check }) => requirementsOf(check)))
    const wrong = requirements.filter((one) => decided.has(one.id) === (one.level === 'info')).map((one) => one.id)
    expect(wrong).toEqual([])
    for (const one of requirements) expect(one.open !== undefined, one.id).toBe(one.level === 'info')
  })
})
