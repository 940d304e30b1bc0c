import type { Json, Reply } from '../../harness/vocabulary/index.ts'

/** Makes a reply as a target would send it. */
export const reply = (json?: Json, status = 200): Reply => ({
  ...{ status, headers: {}, json, bytes: new Uint8Array(), asked: 'GET status', at: 0 },
  text: JSON.stringify(json) ?? '',
})
