import { topic } from '../../harness/vocabulary/index.ts'
import { faultNames, faultsOf } from '../mfa/faults.ts'
import { legacy } from '../mfa/variant.ts'

export default topic('mfa-legacy/errors', {
  about: 'Requests that lack what is required, or name what is not there.',
  names: [...legacy.names, ...faultNames],
  checks: faultsOf(legacy),
})
