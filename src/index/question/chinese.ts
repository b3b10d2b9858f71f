// Questions may be in Chinese while code is named in English: the English words for technical terms. The longest match wins.
const lines = `
安全 security safe|安装 install|按键 key|绑定 bind|包 package|保存 save store|报错 error|报告 report|备份 backup|备用 fallback
本地 local|比较 compare|边界 border boundary|编辑 edit|编码 encoding encode|编译 compile build|变更 change|变量 variable
标记 mark flag|标签 label tag|标题 title|表 table|表达式 expression|并发 concurrent parallel|补丁 patch|不安全 unsafe|步骤 step
步数 step|参数 argument parameter|操作 operation action|测试 test|插件 plugin|查询 query|查找 find search|差异 diff|超时 timeout
撤销 undo|撤消 undo|成本 cost|程序 program|重复 repeat duplicate|重启 restart|重试 retry|重做 redo|重命名 rename|重写 rewrite
抽取 extract|初始化 init initialize|处理 handle process|触发 trigger|创建 create make|磁盘 disk|存储 store storage|错误 error
打印 print|大小 size|大纲 outline|代理 proxy agent|单元 unit|导出 export|导入 import|登录 login|等待 wait|地址 address
地图 map|调度 schedule dispatch|调用 call|调试 debug|断言 assert|队列 queue|对话 conversation session|多语言 language
额度 quota budget|发布 publish release|发送 send|翻译 translate|返回 return|费用 cost|分支 branch|分析 analyze parse|分叉 fork
复制 copy fork|服务器 server|服务 service server|覆盖 overwrite|概要 summary|高亮 highlight|格式 format|格式化 format
更新 update|工具 tool|工作区 workspace|公式 formula|管道 pipe pipeline|规则 rule|过滤 filter|函数 function|哈希 hash|合并 merge
恢复 resume recover restore|回滚 rollback undo|回放 replay|回归 regression|回复 reply|会话 session|缓冲 buffer|缓存 cache
换行 newline line|环境 environment|回答 answer|汇总 summary|记录 record log|计划 plan|计算 compute count|价格 price|监视 watch
检测 detect|检查 check|检索 retrieval search|键 key|交互 interactive|角色 role|脚本 script|接口 interface port|结果 result
结构 structure|解码 decode|解释 explain|解析 parse|进程 process|禁止 deny forbid|警告 warning|拒绝 deny refuse|决策 decide
绝对路径 absolute path|开关 switch|空格 space|控制台 console|快照 snapshot|类型 type|连接 connect connection|列表 list
临时 temp|令牌 token|流 stream|路径 path|路由 route|轮询 poll|密码 password|密钥 key secret|敏感 secret|命令 command
命令行 command cli|模板 template|模型 model|模式 mode|模块 module|目录 folder directory|内存 memory|内容 content|排序 sort rank
排名 rank|配置 config settings|批准 approval|匹配 match|片段 snippet|评审 review|屏幕 screen|迁移 migrate|嵌套 nested
签名 signature|清理 clean|请求 request|取消 cancel|权限 permission|确认 confirm|日志 log|任务 task|日期 date|入口 entry main
沙箱 sandbox|沙盒 sandbox|删除 delete remove|上传 upload|上下文 context|设置 setting|审批 approval|审查 review|升级 upgrade
生成 generate|时间 time|时区 timezone|实例 instance|事件 event|事务 transaction|识别 recognise detect|适配 adapter|授权 permission grant
输出 output|输入 input|属性 property|数据 data|数据库 database store|刷新 refresh|搜索 search|缩进 indent|索引 index|锁 lock
锁定 lock|提供商 provider|提示 prompt hint|提示词 prompt|提交 commit|替换 replace|添加 add|条件 condition|停止 stop|通知 notify
统计 statistics count|图片 image|图像 image|退出 exit quit|退出码 exit code|退避 backoff|脱敏 redact|完成 complete done|网络 network
网页 page web|文本 text|文档 doc|文件夹 folder|系统 system|下载 download|显示 show display|限制 limit|线程 thread|响应 response reply
项目 project|消息 message|写入 write|信任 trust|信号 signal|行 line|性能 performance|修复 fix repair|虚拟 virtual|选项 option
选择 choose select|循环 loop cycle|压缩 compact compress|验证 verify|样式 style|依赖 dependency|遗忘 forget|异常 exception error
异步 async|引擎 engine|引用 reference|应用 apply|映射 map|用户 user|用量 usage|语法 syntax|语言 language|语义 semantic
预算 budget|预览 preview|源码 source|原因 reason cause|允许 allow|运行 run|暂停 pause|摘要 summary|粘贴 paste|整理 tidy
正则 regex|执行 execute run|直接 direct|只读 readonly read|值 value|终端 terminal tty|重新 again|主题 theme|注册 register|注释 comment
注入 injection|转义 escape|状态 state status|状态机 machine|追加 append|追踪 trace|字符 character|字符串 string|字段 field
字节 byte|子进程 child process|子代理 agent task|自动 auto|租约 lease|组件 component|作用域 scope|崩溃 crash|读取 read|写 write
读 read|钩子 hook|链接 link|符号 symbol|符号链接 symlink link|补全 completion|版本 version|帮助 help|估算 estimate|截断 truncate trim
裁剪 trim prune|修剪 prune|无进展 progress|打转 stutter|卡住 stuck stall|后台 background|作业 job|冲突 conflict|许可证 licence license
问题 question|提问 question ask|询问 ask|待办 todo|笔记本 notebook|名字 name|名称 name|重叠 overlap|去重 dedup duplicate|分页 page
挂载 mount|预设 preset|监听 listen|订阅 subscribe|序列化 serialize|权重 weight|阈值 threshold|递归 recursive|心跳 heartbeat|端口 port
端点 endpoint|协议 protocol|中断 interrupt|回调 callback|迭代 iterate|分割 split|拼接 join|滚动 scroll|光标 cursor|颜色 color|主机 host
域名 domain|证书 certificate|加密 encrypt|解密 decrypt|基准 benchmark baseline|覆盖率 coverage|失败 fail failure|成功 success|忽略 ignore
跳过 skip|默认 default|上限 limit max|最大 max|最小 min|首次 first|唯一 unique|空 empty|排除 exclude|包含 include contain|修改 change edit
移动 move|标识 id|身份 identity|归档 archive|打包 pack bundle|部署 deploy|发现 discover find|建议 advice suggest|相似 similar nearest
判断 judge decide|判定 verdict judge|裁决 verdict decide|危险 dangerous destructive|破坏 destructive|隔离 isolate sandbox|通道 channel
`;

let words: ReadonlyMap<string, readonly string[]> | undefined;

function glossary(): ReadonlyMap<string, readonly string[]> {
  words ??= new Map(
    lines
      .trim()
      .split(/[|\n]/)
      .map((line) => {
        const [word = "", ...meanings] = line.split(" ");
        return [word, meanings];
      }),
  );
  return words;
}

const longest = 5;

export interface Segment {
  readonly text: string;
  /** English words; empty if the text is not a technical term. */
  readonly meanings: readonly string[];
}

export function segmentsOf(run: string): readonly Segment[] {
  const found: Segment[] = [];
  let rest = "";
  for (let at = 0; at < run.length; ) {
    const text = run.slice(at, at + Math.max(lengthAt(run, at), 1));
    const meanings = glossary().get(text) ?? [];
    if (meanings.length === 0) rest += text;
    if (meanings.length > 0 || at + text.length >= run.length) {
      if (rest !== "") found.push({ text: rest, meanings: [] });
      rest = "";
    }
    if (meanings.length > 0) found.push({ text, meanings });
    at += text.length;
  }
  return found;
}

function lengthAt(run: string, at: number): number {
  for (let length = longest; length > 0; length--) if (glossary().has(run.slice(at, at + length))) return length;
  return 0;
}
