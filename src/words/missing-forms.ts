// Requests that cannot be started. All forms but the last span the whole text: with one more word there is something to search for, so the
// model starts. A needless question is worse than none.

const ask = String.raw`(?:(?:please|pls|can you|could you|would you|will you|help me(?: to)?|i want you to|i need you to|just|now)\s+)*`;
const tail = String.raw`(?:\s+(?:again|now|please|pls|for me|asap|quickly|then))*\s*[.!?…]*`;
const end = String.raw`[\s。！？.!?~～]*`;
const asking = String.raw`(?:请|麻烦|帮我|帮忙|给我|你|能不能|可以|再|快|赶紧|先|把|将|\s)*`;
const thing = "(?:错误|报错|异常|问题|bug|错)";

const whole = (...forms: readonly string[]): readonly RegExp[] => forms.map((form) => new RegExp(`^${form}$`, "i"));

/** A pronoun without a referent. */
export const pronoun = (): readonly RegExp[] =>
  whole(
    `${ask}(?:fix|solve|correct|debug|change|modify|edit|redo|repeat|finish|do)\\s+(?:it|this|that|them|these|those|this one|that one)${tail}`,
    `${ask}(?:fix|solve|correct|debug)\\s+(?:this|that|the)\\s+(?:issue|problem|bug|thing)${tail}`,
    `${asking}(?:修复|修改|修正|修|改|解决|处理|搞定|弄好|调试|更改|重做)(?:一下|下|掉|好)?(?:它们?|这个|那个|这些|那些|这|那|该)(?:问题|bug|东西)?(?:吧|一下|了)?${end}`,
    `${asking}(?:它们?|这个|那个|这些|那些)(?:问题|bug|东西)?(?:修复|修改|修正|修|改|解决|处理|搞定|弄)(?:一下|下|掉|好|了)?(?:吧)?${end}`,
  );

/** "This error", but the text contains no error. */
export const error = (): readonly RegExp[] =>
  whole(
    `${ask}(?:fix|solve|debug|explain|resolve|handle|look at|look into|check|help (?:me )?with)\\s+(?:this|that|the following|the above)\\s+(?:error|exception|error message|stack trace|traceback|crash|failure)${tail}`,
    `(?:what does|what is|what's|why do i get|why am i getting|how do i fix|how to fix|how can i fix)\\s+(?:this|that|the following|the above)\\s+(?:error|exception|error message|stack trace|traceback)(?:\\s+mean)?${tail}`,
    `${asking}(?:修复|修|解决|处理|看看|看一下|看下|看|解释|分析|排查|调试)(?:一下|下)?(?:这个|这条|上面的?|下面的?|以下|该)(?:${thing}|错误信息|堆栈)(?:吧|一下)?${end}`,
    `(?:这个|这条|上面的?|下面的?|该)(?:${thing}|错误信息)(?:是什么意思|怎么解决|怎么修|怎么办|怎么回事|如何解决|是怎么回事|为什么会出现)(?:呢|啊|呀)?${end}`,
  );

/** An attachment, which cannot exist. */
export const attached = (): readonly RegExp[] =>
  whole(
    `${ask}(?:see|read|check|open|use|look at|summari[sz]e|analy[sz]e|explain|review|translate|describe|fix)\\s+(?:the |this |my )?(?:attached|enclosed)\\s+(?:file|files|log|logs|screenshot|image|picture|document|code|pdf)${tail}`,
    `${ask}(?:see|read|check|open|use|look at|summari[sz]e|analy[sz]e|explain|describe)\\s+(?:the |this |my )?(?:attachment|attachments|screenshot)${tail}`,
    `${asking}(?:看|看看|看一下|看下|读|读取|查看|打开|总结|分析|解释|翻译|参考|见)(?:一下|下)?(?:这个|我的|我发的|所附的?)?(?:附件|截图)(?:里的内容|的内容|内容|文件)?(?:吧)?${end}`,
  );

/** An announcement, with nothing after it. */
export const announced = (): readonly RegExp[] => [
  /\b(?:the following|as follows|below)\b[^\n:：]{0,60}[:：]$/i,
  /(?:以下|如下|下面)[^\n:：]{0,30}[:：]$/,
];
