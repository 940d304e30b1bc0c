import type { ResultDocument } from '../../harness/vocabulary/index.ts'

/** The document itself. */
export const renderJson = (document: ResultDocument): string => `${JSON.stringify(document, null, 2)}\n`
