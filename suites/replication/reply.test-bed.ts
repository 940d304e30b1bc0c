import type { Json, Reply } from '../../harness/vocabulary/index.ts'

/** A reply as a target would give it. */
export const reply = (json?: Json, status = 200): Reply => ({
  ...{ status, headers: {}, json, bytes: new Uint8Array(), asked: 'GET status', at: 0 },
  text: JSON.stringify(json) ?? '',
})
