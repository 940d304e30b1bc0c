import { type ReportFormat, reportFormats } from '../../vocabulary/report-formats.ts'
import type { Flag } from '../options/flag.ts'

export const formats = reportFormats
export type Format = ReportFormat

const standard: readonly Format[] = ['html', 'json', 'junit', 'markdown']

export const formatsFlag: Flag = {
  flag: '--format <list>',
  says: `any of ${formats.join(', ')}`,
  values: { of: formats, what: 'format' },
  isList: true,
  default: standard,
  defaultSays: standard.join(','),
}
