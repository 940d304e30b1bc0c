/** The method and its user that checks share. */
import type { SharedGround } from '../../harness/vocabulary/index.ts'
import { caller, defined } from './given.ts'
import type { Variant } from './variant.ts'

/** Secrets of the user, which every check destroys again, and further methods, users and tokens of its own. */
const leave = new RegExp(
  `^(${[
    /(GET|POST) \w+\/mfa\/method\/totp(\/\{\w+\}(-\w+)?)?\/(admin-generate|generate|admin-destroy)/,
    /POST sys\/mfa\/method\/\{\w+\}(-\w+)?\/admin-destroy/,
    /POST identity\/mfa\/method\/totp(\/\{second\})?/,
    /POST sys\/mfa\/method\/totp\/\{method\}-second/,
    /GET \w+\/mfa\/method\/totp\/\{\w+\}/,
    /POST identity\/(entity|entity-alias)/,
    /GET sys\/auth|POST sys\/auth\/\{other\}|POST auth\/(token\/create|\{other\}\/.*)/,
  ]
    .map(({ source }) => source)
    .join('|')})$`,
)

export const sharedCaller = (variant: Variant): SharedGround => ({
  givens: [[defined(variant), ...caller(variant)]],
  leave,
  frame: [variant.read()],
})
