/** Every undo that a dialect and a catalog of checks can come to, read off their records: nothing is sent to find out. */
import type { UndoTemplate } from '../safety/undo-shapes.ts'
import type { Dialect, Topic } from '../vocabulary/index.ts'
import { sentBy } from './touches.ts'

export function undoTemplates(topics: readonly Topic[], dialect: Dialect): readonly UndoTemplate[] {
  const ofChecks = topics.flatMap((topic) => {
    const names = new Set(topic.names)
    const isThrowAway = (name: string) => names.has(name)
    return topic.checks
      .flatMap((check) => sentBy(check, dialect))
      .flatMap(({ undo }) => (undo ? [{ undo, isThrowAway }] : []))
  })
  const ofDialect = (dialect.removals ?? []).flatMap(({ ways }) =>
    ways.map((undo) => ({ undo, isThrowAway: (name: string) => name === 'name' })),
  )
  return [...ofChecks, ...ofDialect]
}
