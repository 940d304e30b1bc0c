import { expect, it } from 'vitest'
import { withoutThrowAway } from './throw-away.ts'

it('replaces a throw-away name by the word it stands for', () => {
  expect(withoutThrowAway('POST assay-75c09ba3-82-mount/roles/assay-75c09ba3-82-other-role?x=1')).toBe(
    'POST ‹mount›/roles/‹other-role›?x=1',
  )
})

it('leaves other names alone', () => {
  expect(withoutThrowAway('GET assay-team/roles/assay-75c09ba3')).toBe('GET assay-team/roles/assay-75c09ba3')
})
