/** Finds on a target what runs left, by their throw-away names. */

import { learnNodes } from '../../run/learned-nodes.ts'
import { openSession } from '../../run/session.ts'
import { existing, type Named, ofRun, runsIn, type TakenBack, takeBackNamed, wordsOf } from '../../safety/by-name.ts'
import { takeInventory } from '../../safety/inventory.ts'
import { acceptFor, type UndoTemplate } from '../../safety/undo-shapes.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { counted } from '../output/wording.ts'
import { endingWith, planFor } from './cleaning.ts'

export interface Strays {
  /** The objects that were found, by the id of their run. */
  readonly runs: ReadonlyMap<string, readonly Named[]>
  /** Why nothing could be found out. */
  readonly unread?: string
}

/** Returns the objects on the target that some run created. */
export async function strays(
  target: ResolvedTarget,
  tell: (words: string) => void,
  signal?: AbortSignal,
): Promise<Strays> {
  if (!target.token) return { runs: new Map(), unread: `looking at ${target.url} needs a token: set ASSAY_TOKEN` }
  const session = await openSession(planFor(target, 'none'), endingWith(signal))
  try {
    const inventory = await takeInventory(session.ask('main'), session.dialect)
    const unread = unreadIn(inventory, target)
    if (unread !== undefined) return { runs: new Map(), unread }
    const runs = new Map<string, readonly Named[]>()
    for (const [runId, named] of runsIn(inventory)) {
      const { there, gone } = await existing(named, session.ask('main'), session.dialect)
      if (there.length > 0) runs.set(runId, there)
      if (gone.length > 0) tell(goneSays(gone, target))
    }
    return { runs }
  } finally {
    await session.close()
  }
}

/** A server of another family answers 404 to everything, as it would for empty lists; a server of this family always
 * has some objects. */
const unreadIn = (inventory: Readonly<Record<string, readonly string[]>>, { url }: ResolvedTarget) =>
  Object.values(inventory).flat().length === 0
    ? `nothing that ${url} holds could be listed: check whether the server can be reached and accepts the token`
    : undefined

export interface Search {
  readonly target: ResolvedTarget
  readonly runId: string
  readonly templates: readonly UndoTemplate[]
  readonly dryRun: boolean
  /** Once aborted, nothing more is undone. */
  readonly signal?: AbortSignal
  /** Called with everything that was found, before any request that changes something is sent. */
  show(found: readonly string[]): void
  /** Called with what the user should know. */
  tell(words: string): void
}

export interface Searched extends TakenBack {
  readonly unread?: string
}

const goneSays = (gone: readonly Named[], { url }: ResolvedTarget): string =>
  `the lists of ${url} name ${counted(gone.length, 'object')} of runs without being able to show ${gone.length === 1 ? 'it' : 'them'}, such as ${gone.slice(0, 1).map(wordsOf).join()}: there is nothing to clean up`

/** Finds what has the names of one run, shows it, and removes it. */
export async function cleanRun({ target, runId, templates, dryRun, signal, show, tell }: Search): Promise<Searched> {
  if (!target.token) throw new UsageError(`cleaning ${target.url} needs a token: set ASSAY_TOKEN`)
  const session = await openSession(planFor(target, runId), endingWith(signal))
  try {
    const [ask, { dialect }] = [session.ask('main'), session]
    const inventory = await takeInventory(ask, dialect)
    const nothing = unreadIn(inventory, target)
    if (nothing !== undefined) return { undone: [], left: [], unread: nothing }
    const { found: listed, unread } = await ofRun(inventory, { runId, ask, dialect })
    const { there: found, gone } = await existing(listed, ask, dialect)
    if (gone.length > 0) tell(goneSays(gone, target))
    show(found.map(wordsOf))
    const unreadKinds = unread === undefined ? {} : { unread }
    if (dryRun) return { undone: [], left: [], ...unreadKinds }
    await learnNodes(session)
    session.nodes?.beginCleanUp(session.journal)
    return {
      ...(await takeBackNamed(found, { runId, ask, dialect, accept: acceptFor(templates, runId) })),
      ...unreadKinds,
    }
  } finally {
    await session.close()
  }
}
