/** A text that breaks out of every format that does not escape it. */
export const hostileText = '</script><img src=x onerror=alert(1)> \u202Egnp.exe\u0000 ``` | שלום & "quotes" \'one\' ]]>'
