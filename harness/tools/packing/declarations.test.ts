import { expect, test } from 'vitest'
import { exportsOf } from './declarations.ts'

const files: Readonly<Record<string, string>> = {
  'a/index.d.ts': `/** What this file is for. */
import './check.ts';
import { type Kept } from './kept.ts';
export * from './all.ts';
export { one, type Two } from './some.ts';
export type { Kept };
/** Makes it.
 * In two lines. */
export declare const make: (of?: import("../b.ts").Part) => Promise<void>;
`,
  'a/all.d.ts': 'export interface Every {\n    /** Of each. */\n    readonly name: string;\n}\nexport {};\n',
  'a/some.d.ts':
    'export declare const one: {\n    two(a: string, b?: number): void;\n}, other: readonly string[];\nexport type Two = 2;\n',
  'a/kept.d.ts': '/** It is kept. */\nexport interface Kept {\n}\ndeclare const hidden: string;\n',
}

test('finds the exports of a file with their comments, including re-exports', () => {
  expect(exportsOf('a/index.d.ts', (file) => files[file] ?? '')).toEqual([
    {
      ...{ name: 'Every', says: '', isType: true },
      code: 'interface Every {\n    /** Of each. */\n    readonly name: string;\n}',
    },
    { name: 'one', says: '', code: 'const one: {\n    two(a: string, b?: number): void;\n};', isType: false },
    { name: 'Two', says: '', code: 'type Two = 2;', isType: true },
    { name: 'Kept', says: 'It is kept.', code: 'interface Kept {\n}', isType: true },
    {
      ...{ name: 'make', says: 'Makes it.\nIn two lines.', isType: false },
      code: 'const make: (of?: Part) => Promise<void>;',
    },
  ])
})
