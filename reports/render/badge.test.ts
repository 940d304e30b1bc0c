import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { renderBadge } from './badge.ts'
import { sampleDocument } from './sample/document.ts'

describe('the badge', () => {
  for (const [outcome, words] of [
    ['conformant', 'API conformance: conformant. All '],
    ['non-conformant', 'API conformance: non-conformant (2 accepted). '],
    ['incomplete', 'API conformance: incomplete. 22 must checks could not be verified'],
  ] as const)
    it(`says ${outcome} in words`, () => {
      const svg = renderBadge(sampleDocument({ outcome }))
      expect(XMLValidator.validate(svg)).toBe(true)
      const root = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(svg).svg
      expect(root.role).toBe('img')
      expect(root.title['#text']).toContain(words)
      expect(root.title.id).toBe(root['aria-labelledby'])
    })
})
