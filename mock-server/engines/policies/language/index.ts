/** The language of RGP and EGP documents; `../routes.ts` says what of it is spoken. */
export { type Facts, parseRules, type RuleDocument } from './parse.ts'
