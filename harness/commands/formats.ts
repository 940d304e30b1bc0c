import { InvalidArgumentError, Option } from 'commander'
import { several } from './options.ts'

export const formats = ['html', 'json', 'junit', 'markdown', 'sarif', 'badge', 'allure'] as const
export type Format = (typeof formats)[number]

const standard: readonly Format[] = ['html', 'json', 'junit', 'markdown']

export const formatsOption = (): Option =>
  new Option('--format <list>', `of ${formats.join(', ')}`)
    .default(standard, standard.join(','))
    .argParser((text: string, before: readonly Format[]) => [
      ...(before === standard ? [] : before),
      ...several(text).map((given) => {
        const format = formats.find((one) => one === given)
        if (!format) throw new InvalidArgumentError(`There is no such format; known are ${formats.join(', ')}.`)
        return format
      }),
    ])
