import { Option } from 'commander'
import { known, severalGiven } from './options.ts'

export const formats = [
  'html',
  'json',
  'junit',
  'markdown',
  'sarif',
  'codequality',
  'github',
  'badge',
  'coverage',
  'allure',
] as const
export type Format = (typeof formats)[number]

const standard: readonly Format[] = ['html', 'json', 'junit', 'markdown']

export const formatsOption = (): Option =>
  new Option('--format <list>', `of ${formats.join(', ')}`)
    .default(standard, standard.join(','))
    .argParser((text: string, before: readonly Format[]) => [
      ...(before === standard ? [] : before),
      ...severalGiven(text).map((given) => known(given, formats, 'format')),
    ])
