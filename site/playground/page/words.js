// What the page says, in the languages of the course.
const WORDS = {
  en: {
    program: "Program", results: "Results", run: "Run", stop: "Stop", share: "Copy link", copied: "Link copied", examples: "Examples",
    own: "Your program", leave: "Press Escape, then Tab, to leave the editor.", ready: "Python is ready.",
    loading: "Loading Python: {share} %", starting: "Python starts.", running: "Running …", clock: "{seconds} s of at most {limit} s",
    done: "Done in {seconds} s.", failed: "{name} in line {line}.", failedSomewhere: "{name}.", exit: "The program ended itself, with exit code {code}.",
    stopped: "Stopped.", time: "Stopped after {limit} s, the time that a program has here.",
    flooded: "Stopped: the program printed or showed more than this page can hold.",
    lost: "Stopped: Python did not answer any more. A program that takes all memory ends it. Python starts again.",
    died: "The program has ended Python itself. The next run has a new one.",
    broken: "Python did not start in this browser: {text}", cut: "The rest of the text is left out.",
    output: "Printed text", error: "Error", happened: "What happened", lines: "Your lines", tensors: "Your tensors", todo: "What to do",
    plots: "Plots", graph: "Graph", steps: "Step by step", whole: "Whole graph", of: "of", backward: "the last backward pass",
    manySteps: "The program ran more than 4,000 operators, too many to step through. Run a few turns of the loop to see their steps.",
    longSteps: "There are too many steps to show here. Run a few turns of the loop to see their steps.",
    first: "To begin with", gallery: "Questions",
    turns: "These are the steps of the last turn; {turns} turns before it are left out.",
    damaged: "# This link is damaged: a part of it is missing. Ask for the whole link.\n",
    empty: "Press Run. What the program prints, its graph and its plots will be here.",
    open: "Open in the playground", nothing: "The program printed nothing, and no tensor has a graph.",
    here: "stopped here", home: "Gallery", old: "This browser is too old for the playground: it lacks {what}. Firefox 115, Chrome 110 and Safari 17 have it.",
    stale: "The program has changed since this run: press Run.",
    title: "Playground", docs: "Documentation", lead: "PyTorch code, run in your browser. Nothing is sent anywhere.", picture: "Picture",
  },
  zh: {
    program: "程序", results: "结果", run: "运行", stop: "停止", share: "复制链接", copied: "链接已复制", examples: "示例",
    own: "你的程序", leave: "按 Esc 再按 Tab 可离开编辑器。", ready: "Python 已就绪。",
    loading: "正在加载 Python：{share} %", starting: "正在启动 Python。", running: "正在运行……", clock: "{seconds} 秒，最多 {limit} 秒",
    done: "运行完毕，用时 {seconds} 秒。", failed: "第 {line} 行：{name}。", failedSomewhere: "{name}。", exit: "程序自行结束，退出码为 {code}。",
    stopped: "已停止。", time: "已停止：程序在这里最多运行 {limit} 秒。",
    flooded: "已停止：程序输出的内容超出了本页的上限。",
    lost: "已停止：Python 不再响应，通常是程序用尽了内存。正在重新启动 Python。",
    died: "程序使 Python 本身退出了。下次运行会使用新的 Python。",
    broken: "Python 无法在此浏览器中启动：{text}", cut: "其余输出已省略。",
    output: "输出", error: "错误", happened: "发生了什么", lines: "相关的代码行", tensors: "相关的张量", todo: "怎么办",
    plots: "图表", graph: "计算图", steps: "逐步查看", whole: "整个计算图", of: "张量", backward: "最后一次反向传播",
    manySteps: "程序运行了超过 4,000 个算子，无法逐步查看。只运行几次循环就能看到每一步。",
    longSteps: "步骤太多，无法在这里显示。只运行几次循环就能看到每一步。",
    first: "入门", gallery: "常见问题",
    turns: "这里显示最后一轮循环的步骤，之前的 {turns} 轮已省略。",
    damaged: "# 链接不完整，请重新索取完整的链接。\n",
    empty: "点击“运行”。程序的输出、计算图和图表会显示在这里。",
    open: "在 Playground 中打开", nothing: "程序没有输出，也没有带计算图的张量。",
    here: "在此停止", home: "图集", old: "此浏览器版本过旧，缺少 {what}。请使用 Firefox 115、Chrome 110 或 Safari 17 及以上版本。",
    stale: "程序在这次运行之后有修改，请点击“运行”。",
    title: "Playground", docs: "文档", lead: "在浏览器中运行 PyTorch 代码，任何内容都不会上传。", picture: "图",
  },
};

const asked = new URLSearchParams(location.search).get("lang") ?? (navigator.language?.startsWith("zh") ? "zh" : "en");
export const lang = asked in WORDS ? asked : "en";
export const words = WORDS[lang];
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
