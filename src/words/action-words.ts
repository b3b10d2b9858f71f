// Tables for `finderOf`: each row is a comma-separated list, which is split on first use.
import type { Foreseen } from "../contract/task.ts";

/** Verbs that ask for an action, and the needs they imply. */
interface Actions {
  readonly foresees: readonly Foreseen[];
  readonly words: readonly string[];
}

export const actionWords: readonly Actions[] = [
  {
    foresees: ["write"],
    words: [
      "add, change, fix, implement, create, write, update, rename, refactor, edit, modify, replace, move, convert",
      "make, migrate, rewrite, improve, optimize, optimise, simplify, extract, insert, append, translate, format",
      "document, generate, adjust, correct, repair, set, enable, disable, extend, port, reformat, integrate",
      "support, split, inline, bump, redesign, restructure, scaffold, configure, comment out, turn, swap, sort",
      "wrap, upgrade, rework, overhaul, modernize, modernise",
      "添加, 增加, 新增, 加上, 修改, 更改, 改成, 改为, 修复, 修正, 实现, 创建, 新建, 编写, 写一, 写个, 更新",
      "重命名, 重构, 替换, 移动, 转换, 迁移, 重写, 改进, 优化, 简化, 提取, 插入, 翻译, 格式化, 生成, 调整, 完善",
      "补充, 补上, 启用, 禁用, 扩展, 集成, 接入, 拆分, 搭建, 解决, 加, 改, 修, 写, 建",
    ],
  },
  {
    foresees: ["delete"],
    words: [
      "delete, remove, erase, wipe, purge, drop, rm, clean up, clear out, get rid of",
      "删除, 删掉, 删了, 移除, 清空, 清除, 清理, 去掉, 删库, 删",
    ],
  },
  {
    foresees: ["exec"],
    words: [
      "run, rerun, re-run, execute, build, compile, start, restart, launch, lint, benchmark, commit, rebase",
      "merge, stash, test, profile, reproduce, kill, stop",
      "运行, 执行, 跑一下, 跑测试, 跑一遍, 构建, 编译, 启动, 重启, 提交代码, 复现, 跑一次, 测试一下, 跑",
    ],
  },
  {
    foresees: ["exec", "network"],
    words: [
      "install, deploy, publish, push, force push, force-push, pull, clone, download, upload, release",
      "npm install",
      "安装, 部署, 发布, 推送, 拉取, 克隆, 下载, 上传",
    ],
  },
  {
    foresees: ["network"],
    words: ["fetch, look up online, search the web, google", "抓取, 联网, 上网"],
  },
];

/** Things that are deleted from code, not from the disk. */
export const codeNouns: readonly string[] = [
  "import, imports, function, functions, method, methods, line, lines, comment, comments, class, variable",
  "variables, parameter, parameters, argument, arguments, code, field, fields, flag, option, options, whitespace",
  "button, space, spaces, semicolon, semicolons, warning, warnings, log statement, console.log, duplicate",
  "duplicates, duplication, dependency, statement, check, text, word, words, character, characters, section",
  "paragraph, type, types, prefix, suffix, limit, restriction, attribute, property, key, entry, row, item, todo",
  "hack, workaround, 导入, 函数, 方法, 行, 注释, 变量, 参数, 代码, 字段, 选项, 空格, 分号, 警告, 按钮, 类型, 属性",
  "重复, 限制, 条目, 文字, 段落, 打印, 日志语句, 依赖",
];

export const diskNouns: readonly string[] = [
  "file, files, folder, folders, directory, directories, dir, dirs, branch, branches, database, table, tables",
  "data, everything, all, repo, repository, logs, cache, caches, bucket, build, 文件夹, 文件, 目录, 分支, 数据库",
  "数据, 表, 一切, 仓库, 缓存, 日志文件",
];

/** Irreversible actions, and actions that affect others. */
export const dangerWords: readonly string[] = [
  "rm -rf, rm -fr, force push, force-push, push --force, push -f, reset --hard, clean -fd, sudo, drop table",
  "drop database, drop the table, drop the database, truncate table, production, prod, rewrite history",
  "rewrite the history, mkfs, shutdown, reboot, chmod 777, deploy, publish, 强制推送, 生产环境, 线上环境",
  "线上数据库, 删库, 清空数据库, 删除数据库, 改写历史, 重写历史, 部署, 发布",
];
