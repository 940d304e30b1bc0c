/** Makes the records of actions and expectations. */
import type { Action, Expectation } from '../harness/vocabulary/index.ts'

export const action = (
  words: string,
  { touches = [], ...more }: Partial<Pick<Action, 'touches' | 'performs' | 'provides'>>,
  run: Action['run'],
): Action => ({ kind: 'action', words, touches, ...more, run })

export const expectation = (words: string, judge: Expectation['judge']): Expectation => ({ words, judge })
