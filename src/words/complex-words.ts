/**
 * PL-1: words that alone make a task complex. A trailing `*` stands for any further letters. Only words that rarely occur in a request of
 * one step: a simple task that counts as complex costs a plan nobody needs.
 */
export const complexWords: readonly string[] = [
  // English
  "refactor*, restructur*, re-architect*, rearchitect*, redesign*, rewrite, rewriting, overhaul*, migrate",
  "migrating, migration, moderniz*, modernis*, architecture, implement, implementing, integrate, integrating",
  "scaffold*, internationaliz*, internationalis*, from scratch, full-stack, end-to-end, end to end, step by step",
  "step-by-step, multi-step, in several steps, in phases, across the codebase, across the project",
  "across the repository, across the repo, codebase-wide, entire codebase, entire project, entire repository",
  "entire repo, whole codebase, whole project, whole repository, whole repo, multiple files, several files",
  "many files, multiple modules, all modules, design and build, upgrade all, security audit, performance audit",
  "backwards compatible",
  // Chinese
  "重构, 重写, 重新设计, 重新实现, 迁移, 改造, 架构, 从零, 从头, 搭建, 端到端, 全栈, 整个项目, 整个仓库",
  "整个代码库, 整个系统, 所有模块, 多个文件, 多个模块, 批量, 全面, 系统性, 分步, 逐步, 一步一步, 一步步, 分阶段",
  "设计并实现, 完整实现, 请实现, 帮我实现, 实现一个, 实现一套, 开发一个, 开发一套, 设计一个, 设计一套, 集成, 接入",
  "国际化, 拆分, 模块化, 性能优化, 优化性能, 安全审计, 向后兼容, 升级所有",
];
