import { expect, test } from 'vitest'
import { Opened } from './opened.ts'

test('closes in reverse order, even after an error, which is thrown at the end', async () => {
  const closed: string[] = []
  const run = async () => {
    await using opened = new Opened()
    for (const name of ['one', 'two', 'three'])
      opened.defer(async () => {
        closed.push(name)
        if (name === 'two') throw new Error('two does not close')
      })
  }
  await expect(run()).rejects.toThrow('two does not close')
  expect(closed).toEqual(['three', 'two', 'one'])
})
