import { Option } from 'commander'
import { type ReportFormat, reportFormats } from '../vocabulary/report-formats.ts'
import { known, severalGiven } from './options.ts'

export const formats = reportFormats
export type Format = ReportFormat

const standard: readonly Format[] = ['html', 'json', 'junit', 'markdown']

export const formatsOption = (): Option =>
  new Option('--format <list>', `any of ${formats.join(', ')}`)
    .default(standard, standard.join(','))
    .argParser((text: string, before: readonly Format[]) => [
      ...(before === standard ? [] : before),
      ...severalGiven(text).map((given) => known(given, formats, 'format')),
    ])
