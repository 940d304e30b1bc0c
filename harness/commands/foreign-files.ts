/** Files of somebody else stay, unless the user says otherwise. */
import { join } from 'node:path'
import { eventsName } from '../run/event-stream.ts'
import { UsageError } from '../targets/usage-error.ts'
import type { Flag } from './options/flag.ts'
import type { Format } from './output/formats.ts'
import type { RunFlags } from './run/flags.ts'

export const overwriteFlag: Flag = {
  flag: '--overwrite',
  says: 'also replace files of the same names that assay did not write',
  isRare: true,
}

export async function assertNoForeignRun({
  out,
  format,
  record,
}: Pick<RunFlags, 'out' | 'format' | 'record'>): Promise<void> {
  await assertNoForeign(out, ['json', ...format], [eventsName])
  if (record !== undefined) await assertNoForeign(record, [], ['recording.json'], '--record')
}

const comparisons = ['compare.html', 'compare.md', 'compare.json']

/** Does so for a comparison, and for the folders of the targets that are judged for it, by number. */
export async function assertNoForeignComparison(
  folder: string,
  formats: readonly Format[],
  judged: readonly number[],
): Promise<void> {
  await assertNoForeign(folder, [], comparisons)
  for (const number of judged) await assertNoForeignRun({ out: join(folder, String(number)), format: formats })
}

/** Throws `UsageError` if writing these reports, and files of these names, would replace a file that assay did not
 * write. */
export async function assertNoForeign(
  folder: string,
  formats: readonly Format[],
  names: readonly string[],
  flag = '--out',
): Promise<void> {
  const { foreignFiles } = await import('../../reports/stale.ts')
  const files = await foreignFiles(folder, formats, names)
  if (files.length === 0) return
  const mend = `move it away, name another folder with ${flag}, or add --overwrite`
  throw new UsageError(files.map((file) => `${file} was not written by assay: ${mend}`).join('\n'))
}
