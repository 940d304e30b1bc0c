/** ACL policies: their language, and what they allow. */
export { type Acl, type AclDecision, type AclRequest, compileAcl, rootAcl } from './compile.ts'
export { Cursor, type Escapes, hclEscapes, PolicySyntaxError } from './cursor.ts'
export { findPattern, type Pattern } from './pattern.ts'
export { type AclPolicy, type ParameterValues, type PathRule, parsePolicy } from './policy.ts'
export { type AclRules, aclRules } from './tables.ts'
export { isTemplated, resolveTemplates } from './template.ts'
