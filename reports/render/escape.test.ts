import { describe, expect, it } from 'vitest'
import { codeSpan, excerpt, markdown, markup, scriptJson, shorten, visible } from './escape.ts'

describe('escaping', () => {
  it('shows invisible characters: controls, direction marks, lone surrogates', () => {
    expect(visible('a\0\u001B\u202Eb\u200B\t\n\uD800c\uDC00😀\uFFFF')).toBe(
      'a‹0000›‹001B›‹202E›b‹200B›\t\n\uFFFDc\uFFFD😀‹FFFF›',
    )
    expect(visible('a\u2028b\u2029c\u00AD\u061C\u{E0041}')).toBe('a‹2028›b‹2029›c‹00AD›‹061C›‹E0041›')
  })

  it('escapes markup', () => {
    expect(markup(`<a href="x" y='z'>&`)).toBe('&lt;a href=&quot;x&quot; y=&#39;z&#39;&gt;&amp;')
    expect(scriptJson({ a: '</script><!--\u2028\u202E' })).toBe('{"a":"\\u003c/script\\u003e\\u003c!--\\u2028\\u202e"}')
    expect(JSON.parse(scriptJson({ a: '</script>&\u2028' }))).toEqual({ a: '</script>&\u2028' })
  })

  it('escapes Markdown', () => {
    expect(markdown('| a | *b* [c](https://d)\n# e @f `g` <img>')).toBe(
      '\\| a \\| \\*b\\* \\[c\\]\\(https:&#8203;//d\\) \\# e &#64;f \\`g\\` &lt;img&gt;',
    )
    expect(codeSpan('a | b')).toBe('`a \\| b`')
    expect(codeSpan('a ``` b\n``')).toBe('```` a ``` b `` ````')
  })

  it('says how many characters it cut', () => {
    expect(shorten('abcdef', 3)).toBe('abc… (3 more characters)')
    expect(shorten('abc', 3)).toBe('abc')
  })

  it('shows two texts from shortly before their first difference', () => {
    expect(excerpt({ wanted: 'a\n b', saw: 'a c' })).toEqual({ wanted: 'a b', saw: 'a c' })
    const long = 'x'.repeat(50)
    expect(excerpt({ wanted: `${long}1${long}`, saw: `${long}2` }, 30)).toEqual({
      wanted: `…${'x'.repeat(24)}1${'x'.repeat(5)}…`,
      saw: `…${'x'.repeat(24)}2`,
    })
  })
})
