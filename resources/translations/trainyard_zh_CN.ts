<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>HardwareChoice</name>
    <message><source>This machine</source><translation>本机</translation></message>
    <message><source>This machine, %1 ranks</source><translation>本机，%1 个 rank</translation></message>
</context>
<context>
    <name>MemoryGroups</name>
    <message><source>weights</source><translation>权重</translation></message>
    <message><source>gradients</source><translation>梯度</translation></message>
    <message><source>optimizer</source><translation>优化器</translation></message>
    <message><source>activations</source><translation>激活</translation></message>
    <message><source>temporary</source><translation>临时</translation></message>
    <message><source>program</source><translation>程序</translation></message>
</context>
<context>
    <name>trainyard::desktop</name>
    <message><source>A run finished or was stopped</source><translation>运行已完成或被停止</translation></message>
    <message><source>A run failed</source><translation>运行失败</translation></message>
    <message><source>A run or its host was lost</source><translation>运行或其主机失联</translation></message>
    <message><source>Loss or gradient is not a number</source><translation>损失或梯度不是数值</translation></message>
    <message><source>Loss spike</source><translation>损失突增</translation></message>
    <message><source>A checkpoint was not saved</source><translation>checkpoint 未能保存</translation></message>
    <message><source>No step for</source><translation>无新步超过</translation></message>
    <message><source>Loss above</source><translation>损失高于</translation></message>
    <message><source>Smoothed loss rises for</source><translation>平滑损失连续上升</translation></message>
    <message><source>steps</source><translation>步</translation></message>
    <message><source>Throughput below</source><translation>吞吐量低于</translation></message>
    <message><source>% of usual</source><translation>%（相对平常）</translation></message>
    <message><source>Free disk below</source><translation>可用磁盘空间低于</translation></message>
    <message><source>Memory above</source><translation>内存高于</translation></message>
    <message><source>%1 takes a number greater than 0 and at most %2.</source><translation>“%1”须为大于 0 且不超过 %2 的数。</translation></message>
    <message><source>Run</source><translation>运行</translation></message>
    <message><source>State</source><translation>状态</translation></message>
    <message><source>Steps</source><translation>步数</translation></message>
    <message><source>Train loss</source><translation>训练损失</translation></message>
    <message><source>Validation loss</source><translation>验证损失</translation></message>
    <message><source>Started</source><translation>开始时间</translation></message>
    <message><source>Duration</source><translation>时长</translation></message>
    <message><source>Tags</source><translation>标签</translation></message>
    <message><source>Note</source><translation>备注</translation></message>
    <message><source>baseline</source><translation>基线</translation></message>
    <message><source>What differs</source><translation>差异</translation></message>
    <message><source>Key</source><translation>键</translation></message>
    <message numerus="yes"><source>%n keys are equal in all of them.</source><translation><numerusform>有 %n 个键在所有运行中都相同。</numerusform></translation></message>
    <message><source>Metric</source><translation>指标</translation></message>
    <message><source>Settings of the runs with the best %1</source><translation>%1 最佳的运行的设置</translation></message>
    <message><source>Setting</source><translation>设置</translation></message>
    <message><source>Strength</source><translation>强度</translation></message>
    <message><source>Runs</source><translation>运行</translation></message>
    <message><source>By chance</source><translation>偶然概率</translation></message>
    <message><source>ρ: Spearman&apos;s rank correlation, for numbers; η: correlation ratio of ranks, for words. “By chance”: share of %1 shuffles that are at least as strong. Finished runs only; no proof of a cause.</source><translation>ρ：Spearman 秩相关系数，用于数值；η：秩的相关比，用于文字。“偶然概率”：%1 次随机打乱中强度不低于此值的比例。仅统计已完成的运行；不能证明因果关系。</translation></message>
    <message numerus="yes"><source>Comparison of %n runs</source><translation><numerusform>%n 个运行的比较</numerusform></translation></message>
    <message><source>Trainyard, %1</source><translation>Trainyard，%1</translation></message>
    <message><source>Curves</source><translation>曲线</translation></message>
    <message><source>Last values</source><translation>最终值</translation></message>
    <message><source>Best values</source><translation>最佳值</translation></message>
    <message><source>A learning rate is a number greater than 0 and at most 100, such as 3e-4.</source><translation>学习率须为大于 0 且不超过 100 的数，例如 3e-4。</translation></message>
    <message><source>Profile</source><translation>性能分析</translation></message>
    <message><source>The schedule keeps its shape. The change is recorded as an event.</source><translation>学习率调度的形状保持不变。此更改会记录为事件。</translation></message>
    <message><source>Now %1, which training.swa_lr decides: the peak counts again when the average has ended.</source><translation>当前为 %1，由 training.swa_lr 决定：平均结束后峰值才重新生效。</translation></message>
    <message><source>Now %1.</source><translation>当前为 %1。</translation></message>
    <message><source>Now %1 → %2.</source><translation>当前为 %1 → %2。</translation></message>
    <message><source>Change the learning rate</source><translation>更改学习率</translation></message>
    <message><source>Peak learning rate from the next step on</source><translation>从下一步起的峰值学习率</translation></message>
    <message><source>Change</source><translation>更改</translation></message>
    <message><source>Note at step %1</source><translation>第 %1 步的备注</translation></message>
    <message><source>The note is shown among the run&apos;s events and on its curves.</source><translation>备注会显示在此运行的事件列表及其曲线上。</translation></message>
    <message><source>Add</source><translation>添加</translation></message>
    <message><source>New learning rate requested</source><translation>已请求新的学习率</translation></message>
    <message><source>Stop requested</source><translation>已请求停止</translation></message>
    <message><source>Kill requested</source><translation>已请求强制终止</translation></message>
    <message><source>Checkpoint requested</source><translation>已请求保存 checkpoint</translation></message>
    <message><source>Evaluation requested</source><translation>已请求评估</translation></message>
    <message><source>Pause requested</source><translation>已请求暂停</translation></message>
    <message><source>Resume requested</source><translation>已请求继续</translation></message>
    <message><source>Profile requested</source><translation>已请求性能分析</translation></message>
    <message><source>Note added</source><translation>已添加备注</translation></message>
    <message><source>Checkpoint %1</source><translation>checkpoint %1</translation></message>
    <message><source>step %1</source><translation>第 %1 步</translation></message>
    <message><source>Validation loss %1</source><translation>验证损失 %1</translation></message>
    <message><source>Resumed from checkpoint %1</source><translation>已从 checkpoint %1 恢复</translation></message>
    <message><source>Peak learning rate %1</source><translation>峰值学习率 %1</translation></message>
    <message><source>from step %1</source><translation>从第 %1 步起</translation></message>
    <message><source>from the %1</source><translation>来自 %1</translation></message>
    <message><source>Best validation loss %1 · step %2</source><translation>最佳验证损失 %1 · 第 %2 步</translation></message>
    <message><source>weights</source><translation>权重</translation></message>
    <message><source>copy for computing</source><translation>计算用副本</translation></message>
    <message><source>gradients</source><translation>梯度</translation></message>
    <message><source>optimizer</source><translation>优化器</translation></message>
    <message><source>activations</source><translation>激活</translation></message>
    <message><source>logits</source><translation>logits</translation></message>
    <message><source>workspace</source><translation>工作区</translation></message>
    <message><source>program</source><translation>程序</translation></message>
    <message><source>The run needed more memory than there is. A smaller batch, shorter sequences or more ranks need less.</source><translation>此运行所需的内存超过了现有内存。减小 batch、缩短序列或增加 rank 数可降低需求。</translation></message>
    <message><source>%1 %2</source><translation>%1 %2</translation></message>
    <message><source>A rank was estimated to need %1: %2.</source><translation>估计每个 rank 需要 %1：%2。</translation></message>
    <message><source>%1 would need %2.</source><translation>%1 需要 %2。</translation></message>
    <message><source>%1 would need %2 and fit into the %3 it held.</source><translation>%1 需要 %2，可放入其原先占用的 %3。</translation></message>
    <message><source>rank %1 on %2</source><translation>rank %1（%2）</translation></message>
    <message><source>%1 did not arrive at %2, where the others waited.</source><translation>%1 没有到达 %2，而其他 rank 在那里等待。</translation></message>
    <message><source>%1 no longer answers: it was switched off, is restarting, or has lost its network. Its ranks ended automatically.</source><translation>%1 不再响应：它已关机、正在重启或断开了网络。其上的 rank 已自行结束。</translation></message>
    <message><source>Nothing more could be written. Checkpoints take the most space: keep fewer of them with checkpoint.keep_last, or choose a folder on a larger disk.</source><translation>无法再写入任何内容。checkpoint 占用的空间最多：请用 checkpoint.keep_last 减少保留数量，或选择更大磁盘上的文件夹。</translation></message>
    <message><source>A collective operation waits for every rank, and one of them did not call it in time.</source><translation>集合操作会等待每个 rank，而其中一个没有及时调用它。</translation></message>
    <message><source>Before that, at step %1: %2. A lower learning rate, gradient clipping or health.on_non_finite: skip can prevent this.</source><translation>在此之前，第 %1 步：%2。较低的学习率、梯度裁剪或 health.on_non_finite: skip 可避免这种情况。</translation></message>
    <message><source>ms</source><translation>ms</translation></message>
    <message><source>s</source><translation>s</translation></message>
    <message><source>p99 %1</source><translation>p99 %1</translation></message>
    <message><source>of %1</source><translation>峰值 %1</translation></message>
    <message><source>FLOP/s</source><translation>FLOP/s</translation></message>
    <message><source>The peak was measured on this run&apos;s ranks by multiplying matrices.</source><translation>峰值是在此运行的各 rank 上通过矩阵乘法实测得到的。</translation></message>
    <message><source>The peak is the manufacturer&apos;s value for dense products in this number format.</source><translation>峰值是厂商给出的此数值格式下稠密乘法的数据。</translation></message>
    <message><source>peak unknown</source><translation>峰值未知</translation></message>
    <message><source>The steps compute %1FLOP/s, more than the %2FLOP/s that were measured as the peak: the machine was busy when that was measured, so no share of it is shown.</source><translation>各步的计算速度为 %1FLOP/s，高于实测的峰值 %2FLOP/s：测量时机器正忙，因此不显示所占比例。</translation></message>
    <message><source>GPU %1</source><translation>GPU %1</translation></message>
    <message><source>rank %1</source><translation>rank %1</translation></message>
    <message><source>peak</source><translation>峰值</translation></message>
    <message><source>est. %1</source><translation>估计 %1</translation></message>
    <message><source>Highest so far (%1); the estimate before the start was %2.</source><translation>迄今最高（%1）；启动前的估计为 %2。</translation></message>
    <message><source>Val loss</source><translation>验证损失</translation></message>
    <message><source>Throughput</source><translation>吞吐量</translation></message>
    <message><source>MFU</source><translation>MFU</translation></message>
    <message><source>Step time</source><translation>每步时间</translation></message>
    <message><source>Grad norm</source><translation>梯度范数</translation></message>
    <message><source>Memory peak</source><translation>内存峰值</translation></message>
    <message><source>Learning rate</source><translation>学习率</translation></message>
    <message><source>Loss scale</source><translation>loss scale</translation></message>
    <message><source>tok/s</source><translation>tok/s</translation></message>
    <message><source>median</source><translation>中位数</translation></message>
    <message><source>The median of the last %1 steps.</source><translation>最近 %1 步的中位数。</translation></message>
    <message><source>clip %1</source><translation>裁剪 %1</translation></message>
    <message><source>Reading</source><translation>正在读取</translation></message>
    <message><source>Missing</source><translation>缺失</translation></message>
    <message><source>Queued, number %1</source><translation>排队中，第 %1 位</translation></message>
    <message><source>Queued</source><translation>排队中</translation></message>
    <message><source>Preparing</source><translation>正在准备</translation></message>
    <message><source>Launching</source><translation>正在启动</translation></message>
    <message><source>Paused</source><translation>已暂停</translation></message>
    <message><source>Running</source><translation>正在运行</translation></message>
    <message><source>Stopping</source><translation>正在停止</translation></message>
    <message><source>Finished</source><translation>已完成</translation></message>
    <message><source>Stopped</source><translation>已停止</translation></message>
    <message><source>Failed</source><translation>失败</translation></message>
    <message><source>Lost</source><translation>失联</translation></message>
    <message numerus="yes"><source>%n ranks</source><translation><numerusform>%n 个 rank</numerusform></translation></message>
    <message numerus="yes"><source>%n hosts</source><translation><numerusform>%n 台主机</numerusform></translation></message>
    <message><source>%1 parameters</source><translation>%1 个参数</translation></message>
    <message><source>took %1</source><translation>用时 %1</translation></message>
    <message><source>waited %1</source><translation>已等待 %1</translation></message>
    <message><source>ended %1</source><translation>结束于 %1</translation></message>
    <message><source>queued %1 ago</source><translation>%1 前排队</translation></message>
    <message><source>started %1 ago</source><translation>%1 前开始</translation></message>
    <message numerus="yes"><source>%n restarts</source><translation><numerusform>重启 %n 次</numerusform></translation></message>
    <message><source>resumed from %1</source><translation>从 %1 恢复</translation></message>
    <message><source>check the recipe and write the run folder</source><translation>检查配方并写入运行文件夹</translation></message>
    <message numerus="yes"><source>start %n ranks</source><translation><numerusform>启动 %n 个 rank</numerusform></translation></message>
    <message numerus="yes"><source>build the model and open the data on %n ranks</source><translation><numerusform>在 %n 个 rank 上构建模型并打开数据</numerusform></translation></message>
    <message><source>first step</source><translation>第一步</translation></message>
    <message><source>1 core</source><translation>1 个核心</translation></message>
    <message><source>%1 cores</source><translation>%1 个核心</translation></message>
    <message><source>The settings for this host cannot be used</source><translation>此主机的设置无法使用</translation></message>
    <message><source>The name was not found</source><translation>找不到该名称</translation></message>
    <message><source>No route to host</source><translation>没有通往此主机的路由</translation></message>
    <message><source>Nothing listens on the port</source><translation>该端口上没有服务在监听</translation></message>
    <message><source>No answer</source><translation>没有响应</translation></message>
    <message><source>The host did not answer as an SSH server</source><translation>响应方不是 SSH 服务器</translation></message>
    <message><source>First contact: its key has to be confirmed</source><translation>首次连接：需要确认其密钥</translation></message>
    <message><source>It shows a different host key</source><translation>它出示了不同的 host key</translation></message>
    <message><source>Its host key is revoked</source><translation>其 host key 已被吊销</translation></message>
    <message><source>Logging in was refused</source><translation>登录被拒绝</translation></message>
    <message><source>The server closed the connection: too many keys were offered</source><translation>对方断开了连接：提供的密钥过多</translation></message>
    <message><source>The jump host does not forward the connection</source><translation>跳板机未能建立转接</translation></message>
    <message><source>The account cannot run commands</source><translation>该账户无法运行命令</translation></message>
    <message><source>The login shell prints text before commands run</source><translation>登录 shell 在命令运行前输出了文本</translation></message>
    <message><source>A program is missing there</source><translation>那里缺少某个程序</translation></message>
    <message><source>No space is left there</source><translation>那里已没有剩余空间</translation></message>
    <message><source>A file there cannot be used</source><translation>那里的某个文件无法使用</translation></message>
    <message><source>The connection was lost</source><translation>连接已中断</translation></message>
    <message><source>It was cancelled</source><translation>已取消</translation></message>
    <message><source>It could not be asked</source><translation>无法查询</translation></message>
    <message><source>not asked</source><translation>未查询</translation></message>
    <message><source>asking</source><translation>正在查询</translation></message>
    <message><source>ready</source><translation>就绪</translation></message>
    <message><source>in use</source><translation>使用中</translation></message>
    <message><source>new key</source><translation>新密钥</translation></message>
    <message><source>blocked</source><translation>已阻止</translation></message>
    <message><source>no answer</source><translation>无响应</translation></message>
    <message><source>not used</source><translation>未使用</translation></message>
    <message><source>its settings cannot be used</source><translation>其设置无法使用</translation></message>
    <message><source>its key has to be confirmed once</source><translation>其密钥需要确认一次</translation></message>
    <message><source>host key is not the one you accepted</source><translation>host key 与已接受的不符</translation></message>
    <message><source>connecting…</source><translation>正在连接…</translation></message>
    <message><source>%1 × %2</source><translation>%1 × %2</translation></message>
    <message><source>no GPU</source><translation>无 GPU</translation></message>
    <message><source>kernel %1</source><translation>内核 %1</translation></message>
    <message><source>OS</source><translation>操作系统</translation></message>
    <message><source>CPU</source><translation>CPU</translation></message>
    <message><source>RAM</source><translation>内存</translation></message>
    <message><source>%1 of %2 free</source><translation>可用 %1，共 %2</translation></message>
    <message><source>Disk</source><translation>磁盘</translation></message>
    <message><source>%1 free</source><translation>可用 %1</translation></message>
    <message><source>Clock</source><translation>时钟</translation></message>
    <message><source>Load</source><translation>负载</translation></message>
    <message><source>Driver</source><translation>驱动程序</translation></message>
    <message><source>none</source><translation>无</translation></message>
    <message><source>CUDA</source><translation>CUDA</translation></message>
    <message><source>NCCL</source><translation>NCCL</translation></message>
    <message><source>comes with the engine</source><translation>随引擎提供</translation></message>
    <message><source>copied when needed</source><translation>需要时复制</translation></message>
    <message><source>copied</source><translation>已复制</translation></message>
    <message><source>Engine</source><translation>引擎</translation></message>
    <message><source>none, not needed</source><translation>无，不需要</translation></message>
    <message><source>, no torch</source><translation>，无 torch</translation></message>
    <message><source>, torch %1</source><translation>，torch %1</translation></message>
    <message><source>Python</source><translation>Python</translation></message>
    <message><source>libc</source><translation>libc</translation></message>
    <message><source>NVLink %1</source><translation>NVLink %1</translation></message>
    <message><source>, %1 Gb/s</source><translation>，%1 Gb/s</translation></message>
    <message><source>The settings for %1 cannot be used</source><translation>%1 的设置无法使用</translation></message>
    <message><source>%1: %2</source><translation>%1：%2</translation></message>
    <message><source>The GPU driver of %1 does not work</source><translation>%1 的 GPU 驱动程序无法工作</translation></message>
    <message><source> Install the driver again or restart the host; runs on the CPU work.</source><translation> 请重新安装驱动程序或重启主机；CPU 上的运行不受影响。</translation></message>
    <message><source>The driver of %1 is too old</source><translation>%1 的驱动程序太旧</translation></message>
    <message><source>Driver %1 supports CUDA up to %2; the engine needs %3 or newer on GPUs. Update the driver; runs on the CPU work.</source><translation>驱动程序 %1 最高支持 CUDA %2；引擎的 GPU 部分需要 %3 或更高版本。请更新驱动程序；CPU 上的运行不受影响。</translation></message>
    <message><source>The clock of %1 is off by %2</source><translation>%1 的时钟偏差为 %2</translation></message>
    <message><source>Times in its logs will not fit those of other hosts. Switch on time synchronisation there.</source><translation>其日志中的时间将与其他主机不一致。请在那里启用时间同步。</translation></message>
    <message><source>Little space is left on %1</source><translation>%1 上的剩余空间不足</translation></message>
    <message><source>%1 free in %2: make room, or choose another folder for runs in its settings.</source><translation>%2 中剩余 %1：请腾出空间，或在其设置中为运行选择其他文件夹。</translation></message>
    <message><source>waiting</source><translation>等待中</translation></message>
    <message><source>running</source><translation>正在运行</translation></message>
    <message><source>passed</source><translation>通过</translation></message>
    <message><source>warning</source><translation>警告</translation></message>
    <message><source>failed</source><translation>失败</translation></message>
    <message><source>skipped</source><translation>已跳过</translation></message>
    <message><source>NVIDIA GPU</source><translation>NVIDIA GPU</translation></message>
    <message><source>Starts and monitors training runs. Runs continue when the window is closed.</source><translation>启动并监视训练运行。窗口关闭后运行仍会继续。</translation></message>
    <message><source>What to open: a recipe (YAML), a run folder, a folder or file of logs (TensorBoard, JSONL, CSV), host:path or an sftp address.</source><translation>要打开的内容：配方 (YAML)、运行文件夹、日志文件夹或日志文件（TensorBoard、JSONL、CSV）、host:path 或 sftp 地址。</translation></message>
    <message><source>Show the first-run page with the sample.</source><translation>显示首次启动页面，单击一次即可启动示例。</translation></message>
    <message><source>With --sample: start it, wait for its end, print the final loss, and exit.</source><translation>与 --sample 一起使用：启动示例，等待其结束，输出最终损失，然后退出。</translation></message>
    <message><source>Save a screenshot of the window and exit.</source><translation>保存窗口的图片，然后退出。</translation></message>
    <message><source>dark, light or system, for this start.</source><translation>dark、light 或 system，仅用于本次启动。</translation></message>
    <message><source>Size of the window, e.g. 1440x900.</source><translation>窗口大小，例如 1440x900。</translation></message>
    <message><source>One file or folder can be opened at a time, not %1.</source><translation>一次只能打开一个文件或文件夹，不能打开 %1 个。</translation></message>
    <message><source>--autostart needs --sample.</source><translation>--autostart 需要 --sample。</translation></message>
    <message><source>--theme %1 is not known: write dark, light or system.</source><translation>未知的 --theme %1：请写 dark、light 或 system。</translation></message>
    <message><source>--size %1 is not a valid size: write for example 1440x900.</source><translation>--size %1 不是有效的大小：请写成例如 1440x900。</translation></message>
    <message><source>this machine</source><translation>本机</translation></message>
    <message><source>Estimated: a token takes %1FLOP, and each rank computes %2 % of the %3FLOP/s that were measured as the peak (%4). %5</source><translation>估计值：每个 token 需要 %1FLOP，每个 rank 的计算速度为实测峰值 %3FLOP/s（%4）的 %2 %。%5</translation></message>
    <message numerus="yes"><source>That share is the median of %n runs on this machine.</source><translation><numerusform>该比例是本机上 %n 个运行的中位数。</numerusform></translation></message>
    <message><source>That share is a default: no run has reported its own yet.</source><translation>该比例为常见值：尚无运行给出实际值。</translation></message>
    <message><source>Stalled</source><translation>停滞</translation></message>
    <message><source>Unreachable</source><translation>无法连接</translation></message>
    <message><source>Imported</source><translation>已导入</translation></message>
    <message><source>Unreadable</source><translation>无法读取</translation></message>
    <message><source>matmul</source><translation>matmul</translation></message>
    <message><source>attention</source><translation>注意力</translation></message>
    <message><source>norm</source><translation>归一化</translation></message>
    <message><source>loss</source><translation>损失</translation></message>
    <message><source>communication</source><translation>通信</translation></message>
    <message><source>copy</source><translation>复制</translation></message>
    <message><source>data</source><translation>数据</translation></message>
    <message><source>elementwise</source><translation>逐元素</translation></message>
    <message><source>other</source><translation>其他</translation></message>
    <message><source>steps %1–%2</source><translation>第 %1–%2 步</translation></message>
    <message><source>%1 slices, all placed</source><translation>%1 个切片，全部已放置</translation></message>
    <message><source>%1 slices, %2 entries without a place</source><translation>%1 个切片，%2 个条目无处放置</translation></message>
    <message><source>%1 read in %2</source><translation>%1，读取用时 %2</translation></message>
    <message><source>%1 slices</source><translation>%1 个切片</translation></message>
    <message numerus="yes"><source>%n overlapping slices on an extra row</source><translation><numerusform>额外一行中有 %n 个重叠切片</numerusform></translation></message>
    <message><source>all placed</source><translation>全部已放置</translation></message>
    <message><source>clock moved by %1</source><translation>时钟校正 %1</translation></message>
    <message><source>%1: %2 could not be placed.</source><translation>%1：%2 无法放置。</translation></message>
    <message><source>Script</source><translation>脚本</translation></message>
    <message><source>Arguments</source><translation>参数</translation></message>
    <message><source>in Expert</source><translation>在“专家”中</translation></message>
    <message><source>this holds neither settings of accelerate, nor a recipe, nor a DeepSpeed file</source><translation>其中既没有 accelerate 的设置，也不是配方或 DeepSpeed 文件</translation></message>
    <message><source>line %1, column %2: </source><translation>第 %1 行，第 %2 列： </translation></message>
    <message><source>ZeRO with DeepSpeed</source><translation>使用 DeepSpeed 的 ZeRO</translation></message>
    <message><source>Sharding</source><translation>分片</translation></message>
    <message><source>Mesh</source><translation>设备网格</translation></message>
    <message><source>Compilation</source><translation>编译</translation></message>
    <message><source>Numbers</source><translation>数值</translation></message>
    <message><source>Where</source><translation>位置</translation></message>
    <message><source>Processes</source><translation>进程</translation></message>
    <message><source>MPI</source><translation>MPI</translation></message>
    <message><source>Machines</source><translation>机器</translation></message>
    <message><source>More</source><translation>更多</translation></message>
    <message><source>Filled in from what this machine has: a TPU.</source><translation>已按本机配置填写：一个 TPU。</translation></message>
    <message><source>Filled in from what this machine has: a CPU with %1 cores, no accelerator.</source><translation>已按本机配置填写：一个 %1 核 CPU，无加速器。</translation></message>
    <message><source>Filled in from what this machine has: %1 × %2.</source><translation>已按本机配置填写：%1 × %2。</translation></message>
    <message><source>Name of the run</source><translation>运行的名称</translation></message>
    <message><source>Name</source><translation>名称</translation></message>
    <message><source>part of the run folder&apos;s name</source><translation>运行文件夹名称的一部分</translation></message>
    <message><source>Architecture</source><translation>架构</translation></message>
    <message><source>Family</source><translation>系列</translation></message>
    <message><source>its keys are those of transformers&apos; config.json</source><translation>其键与 transformers 的 config.json 相同</translation></message>
    <message><source>Task</source><translation>任务</translation></message>
    <message><source>what the model is trained for</source><translation>模型的训练目标</translation></message>
    <message><source>Size</source><translation>大小</translation></message>
    <message><source>Layers</source><translation>层数</translation></message>
    <message><source>transformer blocks</source><translation>Transformer 块</translation></message>
    <message><source>Heads</source><translation>头数</translation></message>
    <message><source>attention heads of each block</source><translation>每个块的注意力头</translation></message>
    <message><source>Width</source><translation>宽度</translation></message>
    <message><source>a multiple of the heads</source><translation>头数的倍数</translation></message>
    <message><source>Context</source><translation>上下文</translation></message>
    <message><source>longest sequence, in tokens</source><translation>最长序列，以 token 计</translation></message>
    <message><source>Vocabulary</source><translation>词表</translation></message>
    <message><source>number of different tokens; 256 for bytes</source><translation>不同 token 的数量；字节为 256</translation></message>
    <message><source>Frozen</source><translation>冻结</translation></message>
    <message><source>Adapters (LoRA)</source><translation>适配器 (LoRA)</translation></message>
    <message><source>Rank</source><translation>秩</translation></message>
    <message><source>Alpha</source><translation>Alpha</translation></message>
    <message><source>Rank-stabilised</source><translation>秩稳定</translation></message>
    <message><source>Modules</source><translation>模块</translation></message>
    <message><source>Parameters</source><translation>参数</translation></message>
    <message><source>Adapter</source><translation>适配器</translation></message>
    <message><source>folder in PEFT&apos;s layout to start from; empty: a new adapter</source><translation>作为起点的 PEFT 格式文件夹；留空：新建</translation></message>
    <message><source>Details</source><translation>细节</translation></message>
    <message><source>Inner width</source><translation>内部宽度</translation></message>
    <message><source>0: four times the width</source><translation>0：宽度的四倍</translation></message>
    <message><source>Dropout, residual</source><translation>Dropout，残差</translation></message>
    <message><source>Dropout, embeddings</source><translation>Dropout，嵌入</translation></message>
    <message><source>Dropout, attention</source><translation>Dropout，注意力</translation></message>
    <message><source>Norm epsilon</source><translation>归一化 epsilon</translation></message>
    <message><source>Initializer range</source><translation>初始化范围</translation></message>
    <message><source>Activation</source><translation>激活函数</translation></message>
    <message><source>between the feed-forward layers</source><translation>前馈层之间</translation></message>
    <message><source>Tied output layer</source><translation>共享输出层</translation></message>
    <message><source>uses the table of the token embedding</source><translation>使用 token 嵌入的权重表</translation></message>
    <message><source>Scaled attention</source><translation>缩放注意力</translation></message>
    <message><source>by the square root of the width of a head</source><translation>除以每个头宽度的平方根</translation></message>
    <message><source>Scaled by block</source><translation>按块缩放</translation></message>
    <message><source>also divides attention scores by the number of the block</source><translation>注意力分数再除以块的序号</translation></message>
    <message><source>Attention in fp32</source><translation>fp32 注意力</translation></message>
    <message><source>scores, under mixed precision</source><translation>混合精度下的注意力分数</translation></message>
    <message><source>Cross-attention</source><translation>交叉注意力</translation></message>
    <message><source>needs an encoder, which no data set has</source><translation>需要编码器，而任何数据集都没有</translation></message>
    <message><source>First token</source><translation>起始 token</translation></message>
    <message><source>of a text, for config.json; -1: none</source><translation>文本的起始 token，写入 config.json；-1：无</translation></message>
    <message><source>Last token</source><translation>结束 token</translation></message>
    <message><source>Padding token</source><translation>填充 token</translation></message>
    <message><source>for config.json; -1: none</source><translation>写入 config.json；-1：无</translation></message>
    <message><source>Text</source><translation>文本</translation></message>
    <message><source>File names</source><translation>文件名</translation></message>
    <message><source>which files of a folder, e.g. *.txt</source><translation>文件夹中的哪些文件，例如 *.txt</translation></message>
    <message><source>Samples</source><translation>样本</translation></message>
    <message><source>Sequence length</source><translation>序列长度</translation></message>
    <message><source>tokens, at most the context</source><translation>以 token 计，不超过上下文长度</translation></message>
    <message><source>Held out</source><translation>留出比例</translation></message>
    <message><source>share of the text, at its end, for evaluation</source><translation>文本末尾用于评估的比例</translation></message>
    <message><source>Random order</source><translation>随机顺序</translation></message>
    <message><source>a new order in each epoch</source><translation>每个 epoch 重新排序</translation></message>
    <message><source>Format</source><translation>格式</translation></message>
    <message><source>Target length</source><translation>目标长度</translation></message>
    <message><source>Masked share</source><translation>掩码比例</translation></message>
    <message><source>of tokens, for masked_lm</source><translation>被掩码的 token，用于 masked_lm</translation></message>
    <message><source>Conversations</source><translation>对话</translation></message>
    <message><source>Tokenizer</source><translation>分词器</translation></message>
    <message><source>tokenizer.json, for text; empty: one token per byte</source><translation>tokenizer.json，用于文本；留空：每个字节一个 token</translation></message>
    <message><source>Pack</source><translation>打包</translation></message>
    <message><source>Unreadable records</source><translation>无法读取的记录</translation></message>
    <message><source>stop the run, or skip and count them</source><translation>停止运行，或跳过并计数</translation></message>
    <message><source>Split batches</source><translation>拆分 batch</translation></message>
    <message><source>Dispatch batches</source><translation>分发 batch</translation></message>
    <message><source>rank 0 reads, and sends every rank its samples</source><translation>由 rank 0 读取，并将样本发送给每个 rank</translation></message>
    <message><source>Even batches</source><translation>对齐 batch</translation></message>
    <message><source>full batches on every rank at the end of an epoch, too</source><translation>在 epoch 末尾，每个 rank 也都是完整的 batch</translation></message>
    <message><source>Join epochs</source><translation>衔接 epoch</translation></message>
    <message><source>even batches are completed from the next epoch, not from the same</source><translation>对齐 batch 时用下一个 epoch 的样本补足，而非同一个 epoch</translation></message>
    <message><source>Workers</source><translation>worker 数</translation></message>
    <message><source>threads of a rank that read ahead</source><translation>每个 rank 用于预读的线程</translation></message>
    <message><source>Prefetch factor</source><translation>预取系数</translation></message>
    <message><source>batches of each worker</source><translation>每个 worker 的 batch 数</translation></message>
    <message><source>Steps and batch</source><translation>步数与 batch</translation></message>
    <message><source>optimizer updates</source><translation>优化器更新次数</translation></message>
    <message><source>Batch</source><translation>Batch</translation></message>
    <message><source>sequences per rank and micro-batch</source><translation>每个 rank 每个 micro-batch 的序列数</translation></message>
    <message><source>Accumulation</source><translation>累积</translation></message>
    <message><source>micro-batches of one update</source><translation>每次更新的 micro-batch 数</translation></message>
    <message><source>Global batch</source><translation>全局 batch</translation></message>
    <message><source>sequences of one update on all ranks, whatever their number; 0: not fixed</source><translation>所有 rank 每次更新的序列总数，与 rank 数无关；0：不固定</translation></message>
    <message><source>Peak learning rate</source><translation>峰值学习率</translation></message>
    <message><source>Schedule</source><translation>调度</translation></message>
    <message><source>after the warm-up</source><translation>预热之后</translation></message>
    <message><source>Warm-up</source><translation>预热</translation></message>
    <message><source>steps in which the rate rises from 0</source><translation>学习率从 0 上升的步数</translation></message>
    <message><source>Final rate</source><translation>最终学习率</translation></message>
    <message><source>at the end, as a fraction of the peak</source><translation>结束时的学习率，占峰值的比例</translation></message>
    <message><source>Decay ends</source><translation>衰减结束</translation></message>
    <message><source>at this step; 0: at the last</source><translation>在此步；0：在最后一步</translation></message>
    <message><source>Schedule arguments</source><translation>调度参数</translation></message>
    <message><source>of schedules of transformers and torch, e.g. {num_cycles: 2}</source><translation>用于 transformers 和 torch 的调度，例如 {num_cycles: 2}</translation></message>
    <message><source>Clip gradients at</source><translation>梯度裁剪阈值</translation></message>
    <message><source>norm; 0: never</source><translation>范数；0：从不</translation></message>
    <message><source>Seed and evaluation</source><translation>种子与评估</translation></message>
    <message><source>Seed</source><translation>种子</translation></message>
    <message><source>start of every random number</source><translation>所有随机数的起点</translation></message>
    <message><source>Evaluate every</source><translation>评估间隔</translation></message>
    <message><source>steps; 0: only at the end</source><translation>步；0：仅在结束时</translation></message>
    <message><source>Evaluation batches</source><translation>评估 batch 数</translation></message>
    <message><source>of one evaluation; 0: all that is held out</source><translation>每次评估的 batch 数；0：全部留出数据</translation></message>
    <message><source>Optimizer</source><translation>优化器</translation></message>
    <message><source>Optimizer arguments</source><translation>优化器参数</translation></message>
    <message><source>further ones, e.g. {momentum: 0.9, nesterov: true}</source><translation>其他参数，例如 {momentum: 0.9, nesterov: true}</translation></message>
    <message><source>Parameter groups</source><translation>参数组</translation></message>
    <message><source>by patterns of names, e.g. {&quot;*.wte.weight&quot;: {lr: 1e-4}}</source><translation>按名称模式，例如 {&quot;*.wte.weight&quot;: {lr: 1e-4}}</translation></message>
    <message><source>Betas</source><translation>Beta</translation></message>
    <message><source>decay rates of the two moments</source><translation>两个矩的衰减率</translation></message>
    <message><source>Epsilon</source><translation>Epsilon</translation></message>
    <message><source>Weight decay</source><translation>权重衰减</translation></message>
    <message><source>Decay all</source><translation>全部衰减</translation></message>
    <message><source>biases and norms too</source><translation>也包括偏置和归一化层</translation></message>
    <message><source>Recompute activations</source><translation>重计算激活</translation></message>
    <message><source>less memory for a third more time</source><translation>以多三分之一的时间换取更少的内存</translation></message>
    <message><source>Average of weights</source><translation>权重平均</translation></message>
    <message><source>share of the old average, e.g. 0.999; 0: none</source><translation>旧平均值所占比例，例如 0.999；0：无</translation></message>
    <message><source>SWA from step</source><translation>SWA 起始步</translation></message>
    <message><source>SWA every</source><translation>SWA 间隔</translation></message>
    <message><source>SWA rate</source><translation>SWA 学习率</translation></message>
    <message><source>learning rate of the average; 0: as scheduled</source><translation>平均阶段的学习率；0：按调度</translation></message>
    <message><source>SWA annealing</source><translation>SWA 退火</translation></message>
    <message><source>steps to that rate</source><translation>过渡到该学习率的步数</translation></message>
    <message><source>SWA course</source><translation>SWA 过渡方式</translation></message>
    <message><source>to that rate</source><translation>过渡到该学习率</translation></message>
    <message><source>Local SGD</source><translation>Local SGD</translation></message>
    <message><source>steps between two averages of the ranks&apos; weights; 0: off</source><translation>各 rank 权重两次平均之间的步数；0：关闭</translation></message>
    <message><source>with fp16: at the start</source><translation>使用 fp16 时：初始值</translation></message>
    <message><source>Loss scale doubles after</source><translation>loss scale 加倍间隔</translation></message>
    <message><source>with fp16: good steps in a row</source><translation>使用 fp16 时：连续正常的步数</translation></message>
    <message><source>TensorFloat-32</source><translation>TensorFloat-32</translation></message>
    <message><source>on NVIDIA GPUs</source><translation>在 NVIDIA GPU 上</translation></message>
    <message><source>NaN or infinity</source><translation>NaN 或无穷大</translation></message>
    <message><source>what to do when loss or gradients are not finite</source><translation>损失或梯度非有限值时的处理方式</translation></message>
    <message><source>Loss spikes</source><translation>损失突增</translation></message>
    <message><source>what to do when the loss spikes</source><translation>损失突增时的处理方式</translation></message>
    <message><source>Spike threshold</source><translation>突增阈值</translation></message>
    <message><source>standard deviations above the recent losses</source><translation>高于近期损失的标准差倍数</translation></message>
    <message><source>Spike window</source><translation>突增窗口</translation></message>
    <message><source>Stop after</source><translation>停止条件</translation></message>
    <message><source>non-finite steps in a row; 0: never</source><translation>连续出现非有限值的步数；0：从不停止</translation></message>
    <message><source>Slow ranks</source><translation>慢速 rank</translation></message>
    <message><source>checked after this many steps; 0: never</source><translation>每隔这么多步检查一次；0：从不</translation></message>
    <message><source>Weights agree</source><translation>权重一致性</translation></message>
    <message><source>compared across ranks after this many steps; 0: never</source><translation>每隔这么多步在各 rank 间比较一次；0：从不</translation></message>
    <message><source>ZeRO stage</source><translation>ZeRO stage</translation></message>
    <message><source>Pipeline stages</source><translation>流水线 stage 数</translation></message>
    <message><source>ranks that share the model&apos;s layers; 1: none</source><translation>分担模型各层的 rank 数；1：无</translation></message>
    <message><source>Replicas</source><translation>副本数</translation></message>
    <message><source>the sizes multiply to the number of ranks; 0: as many as the others leave</source><translation>各项大小之积等于 rank 数；0：其余各项所剩的数量</translation></message>
    <message><source>Ranks of ZeRO</source><translation>ZeRO 的 rank 数</translation></message>
    <message><source>Tensor parallel</source><translation>张量并行</translation></message>
    <message><source>Context parallel</source><translation>上下文并行</translation></message>
    <message><source>Sequence parallel</source><translation>序列并行</translation></message>
    <message><source>Pipeline schedule</source><translation>流水线调度</translation></message>
    <message><source>order of forwards and backwards</source><translation>前向与反向的顺序</translation></message>
    <message><source>Gradient buckets</source><translation>梯度桶</translation></message>
    <message><source>MiB, at least</source><translation>MiB，至少</translation></message>
    <message><source>First bucket</source><translation>第一个桶</translation></message>
    <message><source>MiB, at least; 0: as the others</source><translation>MiB，至少；0：与其他桶相同</translation></message>
    <message><source>Unused parameters</source><translation>未使用的参数</translation></message>
    <message><source>Check gradients</source><translation>检查梯度</translation></message>
    <message><source>Check collectives</source><translation>检查集合通信</translation></message>
    <message><source>Compression</source><translation>压缩</translation></message>
    <message><source>of gradients between ranks</source><translation>rank 之间的梯度</translation></message>
    <message><source>Compression&apos;s format</source><translation>压缩格式</translation></message>
    <message><source>PowerSGD options</source><translation>PowerSGD 选项</translation></message>
    <message><source>e.g. {matrix_approximation_rank: 2}</source><translation>例如 {matrix_approximation_rank: 2}</translation></message>
    <message><source>Checkpoints</source><translation>checkpoint</translation></message>
    <message><source>Save every</source><translation>保存间隔</translation></message>
    <message><source>Keep</source><translation>保留</translation></message>
    <message><source>newest checkpoints; 0: all</source><translation>最新的 checkpoint 数；0：全部</translation></message>
    <message><source>Keep best</source><translation>保留最佳</translation></message>
    <message><source>by the metric below, besides the last</source><translation>除最后一个外，按下面的指标</translation></message>
    <message><source>Best by</source><translation>最佳依据</translation></message>
    <message><source>Best is</source><translation>最佳为</translation></message>
    <message><source>the lowest or the highest value</source><translation>最低值或最高值</translation></message>
    <message><source>Type of exports</source><translation>导出类型</translation></message>
    <message><source>auto: the type of the weights it starts from</source><translation>auto：与起始权重的类型相同</translation></message>
    <message><source>In the background</source><translation>后台保存</translation></message>
    <message><source>Resume from</source><translation>恢复自</translation></message>
    <message><source>checkpoint or run folder; empty: start from the beginning</source><translation>作为起点的 checkpoint 或运行文件夹；留空：从头开始</translation></message>
    <message><source>Log metrics every</source><translation>指标记录间隔</translation></message>
    <message><source>Histograms every</source><translation>直方图间隔</translation></message>
    <message><source>steps; 0: none</source><translation>步；0：无</translation></message>
    <message><source>Trackers</source><translation>跟踪器</translation></message>
    <message><source>Samples of the model</source><translation>模型生成样本</translation></message>
    <message><source>Write every</source><translation>生成间隔</translation></message>
    <message><source>Prompts</source><translation>提示词</translation></message>
    <message><source>what samples begin with; several as [&quot;one&quot;, &quot;two&quot;]</source><translation>样本的开头；多个时写成 [&quot;one&quot;, &quot;two&quot;]</translation></message>
    <message><source>Length</source><translation>长度</translation></message>
    <message><source>Temperature</source><translation>温度</translation></message>
    <message><source>below 1: likely tokens become more likely</source><translation>小于 1：高概率 token 的概率更高</translation></message>
    <message><source>Top k</source><translation>Top k</translation></message>
    <message><source>most likely tokens; 0: all</source><translation>概率最高的 token 数；0：全部</translation></message>
    <message><source>Top p</source><translation>Top p</translation></message>
    <message><source>Profiler</source><translation>性能分析器</translation></message>
    <message><source>Record</source><translation>记录</translation></message>
    <message><source>steps in a row; 0: none</source><translation>连续步数；0：无</translation></message>
    <message><source>Wait</source><translation>等待</translation></message>
    <message><source>steps before each recording</source><translation>每次记录前的步数</translation></message>
    <message><source>Warm up</source><translation>预热</translation></message>
    <message><source>Recordings</source><translation>记录次数</translation></message>
    <message><source>0: until the end</source><translation>0：直到结束</translation></message>
    <message><source>Skip first</source><translation>跳过开头</translation></message>
    <message><source>steps at the start</source><translation>开头的步数</translation></message>
    <message><source>Activities</source><translation>活动</translation></message>
    <message><source>cpu, cuda; empty: all</source><translation>cpu, cuda；留空：全部</translation></message>
    <message><source>Shapes</source><translation>形状</translation></message>
    <message><source>of the inputs of operators</source><translation>算子输入的形状</translation></message>
    <message><source>Memory</source><translation>内存</translation></message>
    <message><source>every allocation</source><translation>每次分配</translation></message>
    <message><source>FLOPs</source><translation>FLOPs</translation></message>
    <message><source>of matrix products and convolutions</source><translation>矩阵乘法和卷积的 FLOPs</translation></message>
    <message><source>Trace folder</source><translation>trace 文件夹</translation></message>
    <message><source>empty: traces of the run&apos;s folder</source><translation>留空：运行文件夹中的 traces</translation></message>
    <message><source>%1 machines</source><translation>%1 台机器</translation></message>
    <message><source>1 rank</source><translation>1 个 rank</translation></message>
    <message><source>%1 ranks</source><translation>%1 个 rank</translation></message>
    <message><source>Replicate</source><translation>复制</translation></message>
    <message><source>compiled</source><translation>已编译</translation></message>
    <message><source>no text yet</source><translation>尚无文本</translation></message>
    <message><source>several paths</source><translation>多个路径</translation></message>
    <message><source>saved at the end</source><translation>结束时保存</translation></message>
    <message><source>saved every %1 steps</source><translation>每 %1 步保存</translation></message>
    <message><source>Own script</source><translation>自有脚本</translation></message>
    <message><source>Settings file</source><translation>设置文件</translation></message>
    <message><source>none yet</source><translation>尚无</translation></message>
    <message><source>%1 steps, lr %2</source><translation>%1 步，lr %2</translation></message>
    <message><source>check, save</source><translation>检查，保存</translation></message>
    <message><source>check, launch</source><translation>检查，启动</translation></message>
    <message><source>the script decides</source><translation>由脚本决定</translation></message>
    <message><source>only for runs</source><translation>仅用于运行</translation></message>
    <message><source>only with your own script</source><translation>仅用于自有脚本</translation></message>
    <message><source>one copy of the model on this kind of machine</source><translation>此类机器上只有一份模型</translation></message>
    <message><source>only for SageMaker and TPU</source><translation>仅用于 SageMaker 和 TPU</translation></message>
    <message><source>Start</source><translation>开始</translation></message>
    <message><source>Model</source><translation>模型</translation></message>
    <message><source>Data</source><translation>数据</translation></message>
    <message><source>Hardware</source><translation>硬件</translation></message>
    <message><source>Parallelism</source><translation>并行</translation></message>
    <message><source>Precision</source><translation>精度</translation></message>
    <message><source>Training</source><translation>训练</translation></message>
    <message><source>Output</source><translation>输出</translation></message>
    <message><source>Cloud and TPU</source><translation>云与 TPU</translation></message>
    <message><source>Review</source><translation>检查</translation></message>
    <message><source>Mixed precision</source><translation>混合精度</translation></message>
    <message><source>just now</source><translation>刚刚</translation></message>
    <message><source>%1 s ago</source><translation>%1 秒前</translation></message>
    <message><source>%1 m ago</source><translation>%1 分钟前</translation></message>
    <message><source>%1 h %2 m ago</source><translation>%1 小时 %2 分钟前</translation></message>
    <message><source>yesterday</source><translation>昨天</translation></message>
    <message><source>%1 days ago</source><translation>%1 天前</translation></message>
    <message><source>Language of the window for this start: %1.</source><translation>本次启动窗口使用的语言：%1。</translation></message>
    <message><source>--language %1 is not known: write one of %2.</source><translation>未知的 --language %1：请使用 %2 之一。</translation></message>
    <message><source>d MMM</source><comment>format of a date</comment><translation>M月d日</translation></message>
    <message><source>d MMM HH:mm</source><comment>format of a date</comment><translation>M月d日 HH:mm</translation></message>
    <message><source>d MMM yyyy, HH:mm:ss</source><comment>format of a date</comment><translation>yyyy年M月d日 HH:mm:ss</translation></message>
    <message><source>Open this page: %1. Its subject follows a colon: run:ID, new:PAGE, hosts:NAME, compare:ID,ID.</source><translation>打开此页面：%1。其对象写在冒号之后：run:ID、new:PAGE、hosts:NAME、compare:ID,ID。</translation></message>
    <message><source>--page %1 is not known: write one of %2.</source><translation>未知的 --page %1：请使用 %2 之一。</translation></message>
    <message><source>GB</source><translation>GB</translation></message>
    <message><source>%</source><translation>%</translation></message>
    <message><source>starting</source><comment>state of a rank</comment><translation>正在启动</translation></message>
    <message><source>running</source><comment>state of a rank</comment><translation>正在运行</translation></message>
    <message><source>finished</source><comment>state of a rank</comment><translation>已完成</translation></message>
    <message><source>failed</source><comment>state of a rank</comment><translation>失败</translation></message>
    <message><source>killed</source><comment>state of a rank</comment><translation>被终止</translation></message>
    <message><source>lost</source><comment>state of a rank</comment><translation>失联</translation></message>
    <message><source>init</source><comment>phase of a rank</comment><translation>初始化</translation></message>
    <message><source>data</source><comment>phase of a rank</comment><translation>数据</translation></message>
    <message><source>forward</source><comment>phase of a rank</comment><translation>前向</translation></message>
    <message><source>backward</source><comment>phase of a rank</comment><translation>反向</translation></message>
    <message><source>reduce</source><comment>phase of a rank</comment><translation>归约</translation></message>
    <message><source>optimizer</source><comment>phase of a rank</comment><translation>优化器</translation></message>
    <message><source>evaluate</source><comment>phase of a rank</comment><translation>评估</translation></message>
    <message><source>save</source><comment>phase of a rank</comment><translation>保存</translation></message>
    <message><source>paused</source><comment>phase of a rank</comment><translation>已暂停</translation></message>
    <message><source>Plug-ins</source><translation>插件</translation></message>
    <message><source>Loss</source><translation>损失</translation></message>
    <message><source>of sentence embeddings or of a plug-in; empty: that of the task</source><translation>句子嵌入的或插件中的损失函数；留空：使用任务自身的损失函数</translation></message>
    <message><source>TorchScript file</source><translation>TorchScript 文件</translation></message>
    <message><source>of torch.jit.save, with the family torchscript; its code runs, so it must be trusted</source><translation>由 torch.jit.save 写出，用于 torchscript 系列；其中的代码会被执行，因此必须可信</translation></message>
    <message><source>Data set of a plug-in</source><translation>插件中的数据集</translation></message>
    <message><source>its name, instead of files</source><translation>其名称，用来代替文件</translation></message>
    <message><source>Its arguments</source><translation>其参数</translation></message>
    <message><source>a table, e.g. {points: 2000}</source><translation>一个表，例如 {points: 2000}</translation></message>
    <message><source>Metrics</source><translation>指标</translation></message>
    <message><source>Keep every</source><translation>每隔保留</translation></message>
    <message><source>from the desktop</source><translation>来自桌面</translation></message>
    <message><source>from the terminal</source><translation>来自终端</translation></message>
    <message><source>%1.</source><translation>%1。</translation></message>
    <message><source>Frozen weights</source><translation>冻结的权重</translation></message>
    <message><source>location of weights that are not trained: auto, disk, or a device map (JSON); empty: in memory</source><translation>未训练的权重存放在哪里：auto、disk 或设备映射 (JSON)；留空：在内存中</translation></message>
    <message><source>Memory for them</source><translation>用于它们的内存</translation></message>
    <message><source>at most, with auto: cpu=2GB</source><translation>最多，与 auto 一起使用：cpu=2GB</translation></message>
    <message><source>Optimizer state</source><translation>优化器状态</translation></message>
    <message><source>Folder for it</source><translation>存放它的文件夹</translation></message>
    <message><source>on a fast local disk</source><translation>在快速的本地磁盘上</translation></message>
    <message><source>This run is a copy of a run on another machine. Its run.yaml was written there, so it is not executed here.</source><translation>此运行是另一台机器上某次运行的副本。其 run.yaml 在那台机器上写成，因此不在这里执行。</translation></message>
    <message><source>This run is a copy of a run on %1. Its run.yaml was written there, so it is not executed here.</source><translation>此运行是 %1 上某次运行的副本。其 run.yaml 在那里写成，因此不在这里执行。</translation></message>
    <message><source>This run belongs to another user of this machine, so its run.yaml is not executed with your rights.</source><translation>此运行属于本机的另一位用户，因此不会以您的权限执行其 run.yaml。</translation></message>
    <message><source>This run was not started on this machine by you, and it is not in your folder of runs. Its run.yaml may come from anybody, so it is not executed.</source><translation>此运行不是由您在本机启动的，也不在您的运行文件夹中。其 run.yaml 可能来自任何人，因此不会执行。</translation></message>
    <message><source>Connect to %1?</source><translation>要连接到 %1 吗？</translation></message>
    <message><source>You are asked once for each folder.</source><translation>每个文件夹只询问一次。</translation></message>
    <message><source>Connect</source><translation>连接</translation></message>
    <message><source>The run was not started</source><translation>运行未启动</translation></message>
    <message><source>The run was not started: see Notifications.</source><translation>运行未启动：请查看“通知”。</translation></message>
    <message><source>Start this run on this machine?</source><translation>要在本机启动此运行吗？</translation></message>
    <message><source>%1 was not written by a launch of this account, or has changed since. Starting it executes, with your rights:</source><translation>%1 不是由本账户的启动写成的，或此后已被更改。启动它会以您的权限执行：</translation></message>
    <message><source>You are asked once for each folder, and again if the file changes.</source><translation>每个文件夹只询问一次；文件更改后会再次询问。</translation></message>
    <message><source>Not started on this machine</source><translation>未在本机启动</translation></message>
    <message><source>You can open it as a draft: New run shows all of it, and nothing is executed before you press Launch.</source><translation>您可以将其作为草稿打开：“新建运行”会显示全部内容，在您按下“启动”之前不会执行任何内容。</translation></message>
    <message><source>Open as a draft</source><translation>作为草稿打开</translation></message>
    <message><source>the engine of Trainyard, with the recipe of this file</source><translation>Trainyard 的引擎，使用此文件的配方</translation></message>
    <message><source>%1 says that it is a copy of a run on this host. It was not made by this program on this account, so it may come from anybody. To follow the run, this program logs in to the host and reads:</source><translation>%1 自称是此主机上某次运行的副本。它不是由本程序在本账户下创建的，可能来自任何人。要跟踪该运行，本程序会登录该主机并读取：</translation></message>
    <message><source>%1 does not say which host it is a copy from.</source><translation>%1 没有说明它是哪台主机的副本。</translation></message>
    <message><source>%1 has no effect: %2.</source><translation>%1 不起作用：%2。</translation></message>
    <message><source>%1 has an effect only if the program starts Python.</source><translation>仅当程序启动 Python 时，%1 才起作用。</translation></message>
    <message><source>ranks that share the positions of each sequence</source><translation>共享每个序列各位置的 rank 数</translation></message>
    <message><source>Keys of other ranks</source><translation>其他 rank 的键</translation></message>
    <message><source>all at once, or around a ring: less memory</source><translation>一次全部收集，或沿环传递：占用内存更少</translation></message>
    <message><source>Stages per rank</source><translation>每个 rank 的阶段数</translation></message>
    <message><source>0: what the schedule needs, one or two</source><translation>0：按调度需要，一个或两个</translation></message>
    <message><source>from %1</source><translation>来自 %1</translation></message>
    <message><source>Interpreter</source><translation>解释器</translation></message>
    <message><source>Folder</source><translation>文件夹</translation></message>
    <message><source>Variables</source><translation>变量</translation></message>
    <message><source>Model to start from</source><translation>起始模型</translation></message>
    <message><source>Folder or name</source><translation>文件夹或名称</translation></message>
    <message><source>folder or file of weights with its config.json, or org/name of the hub; empty: random weights</source><translation>带 config.json 的权重文件夹或文件，或 hub 上的 org/name；留空：随机权重</translation></message>
    <message><source>Quantized weights</source><translation>量化权重</translation></message>
    <message><source>Method</source><translation>方法</translation></message>
    <message><source>of the frozen weights below adapters; none: as they are</source><translation>适配器之下冻结权重的方法；无：保持原样</translation></message>
    <message><source>Files</source><translation>文件</translation></message>
    <message><source>File or folder</source><translation>文件或文件夹</translation></message>
    <message><source>follows the files; bytes: one token per byte</source><translation>随文件而定；bytes：每字节一个词元</translation></message>
    <message><source>Columns</source><translation>列</translation></message>
    <message><source>empty: the only one, or one with a usual name</source><translation>留空：唯一的列，或使用常见名称的列</translation></message>
    <message><source>Second text</source><translation>第二段文本</translation></message>
    <message><source>of a pair; empty: there is one text</source><translation>成对文本中的；留空：只有一段文本</translation></message>
    <message><source>Label</source><translation>标签</translation></message>
    <message><source>classes, by number or name; empty: label</source><translation>类别，按编号或名称；留空：label</translation></message>
    <message><source>Target</source><translation>目标</translation></message>
    <message><source>the text to be written; empty: summary</source><translation>要生成的文本；留空：summary</translation></message>
    <message><source>Expert parallel</source><translation>专家并行</translation></message>
    <message><source>ranks that divide the experts of each block</source><translation>分担每个块中专家的进程</translation></message>
    <message><source>Numbers in fp8</source><translation>fp8 数值</translation></message>
    <message><source>Scaling</source><translation>缩放</translation></message>
    <message><source>of fp8 products, with mixed precision fp8</source><translation>fp8 乘积的缩放，用于混合精度 fp8</translation></message>
    <message><source>Train from scratch</source><translation>从头训练</translation></message>
    <message><source>Fine-tune a model</source><translation>微调模型</translation></message>
    <message><source>Choose the model to fine-tune: a folder, or a name such as org/name.</source><translation>请选择要微调的模型：文件夹，或形如 org/name 的名称。</translation></message>
    <message><source>Enter a note.</source><translation>请输入内容。</translation></message>
    <message><source>Queued, but its process has ended</source><translation>排队中，但无进程等待</translation></message>
    <message><source>Disk full</source><translation>磁盘已满</translation></message>
    <message><source>Stopping, %1 of %2 ranks ended</source><translation>正在停止，%1/%2 个 rank 已退出</translation></message>
    <message><source>%1 paused or restarting</source><translation>暂停或重启 %1</translation></message>
    <message><source>write the run folder</source><translation>写入运行文件夹</translation></message>
    <message><source>first output</source><translation>首次输出</translation></message>
    <message><source>running</source><comment>stage of a program</comment><translation>运行中</translation></message>
    <message><source>compared with this machine, within %1 s</source><translation>相对本机，误差不超过 %1 s</translation></message>
    <message><source>shared libraries with models, data sets, losses, metrics and trackers</source><translation>包含模型、数据集、损失函数、指标和跟踪器的共享库</translation></message>
    <message><source>patterns of parameter names that are not trained, e.g. transformer.wte.*</source><translation>保持初始值的参数名称的模式，例如 transformer.wte.*</translation></message>
    <message><source>only adapters of this rank are trained; 0: no adapters</source><translation>只训练此秩的适配器；0：不使用适配器</translation></message>
    <message><source>adapters are scaled by alpha / rank</source><translation>适配器按 alpha / 秩 缩放</translation></message>
    <message><source>scaled by alpha / √rank</source><translation>按 alpha / √秩 缩放</translation></message>
    <message><source>suffixes of module names, e.g. c_attn, c_proj, or expressions; all-linear: all but the head</source><translation>名称的结尾，例如 c_attn, c_proj，或正则表达式；all-linear：除输出头外的全部</translation></message>
    <message><source>suffixes of parameter names, e.g. mlp.experts.gate_up_proj, mlp.experts.down_proj: experts</source><translation>在 transformers 中的名称的结尾，例如 mlp.experts.gate_up_proj, mlp.experts.down_proj：专家</translation></message>
    <message><source>Fully trained</source><translation>完整训练</translation></message>
    <message><source>suffixes of module names, saved with the adapter; empty: the head of a classifier</source><translation>模块名称的结尾，与适配器一同保存；留空：分类任务的输出头</translation></message>
    <message><source>tokens of the target text</source><translation>要生成的文本的 token 数</translation></message>
    <message><source>the loss covers replies only</source><translation>仅学习回复</translation></message>
    <message><source>documents are concatenated</source><translation>文档首尾相接</translation></message>
    <message><source>the batch size is that of all ranks together</source><translation>batch 为所有 rank 的总和，由各 rank 分担</translation></message>
    <message><source>average of all weights from this step on; 0: none</source><translation>从该步起对所有权重取平均；0：无</translation></message>
    <message><source>nvme: in files on a disk, read in parts (only with ranks on processors)</source><translation>nvme：存放在磁盘文件中，每次只有一部分在内存中（在处理器上）</translation></message>
    <message><source>ranks that divide the state of the ZeRO stage; 0: as many as the others leave</source><translation>分担其 stage 所指定的内容；0：其余各项所剩的数量</translation></message>
    <message><source>ranks that share each layer</source><translation>共同承担每一层的 rank 数</translation></message>
    <message><source>as context parallel; ranks also divide attention heads</source><translation>同上，同时拆分注意力头</translation></message>
    <message><source>receive zero gradients; off: an error</source><translation>得到零梯度；关闭：视为错误</translation></message>
    <message><source>ranks compare which parameters have gradients</source><translation>各 rank 比较哪些参数有梯度</translation></message>
    <message><source>ranks compare shapes before each collective; slower</source><translation>每次之前各 rank 比较形状；较慢</translation></message>
    <message><source>steps, in addition to the newest; 0: off</source><translation>步，最近的除外；0：无此规则</translation></message>
    <message><source>metric that ranks the checkpoints</source><translation>用于评判 checkpoint 优劣的曲线</translation></message>
    <message><source>training continues while files are written</source><translation>写入文件时继续训练</translation></message>
    <message><source>maximum number of new tokens</source><translation>新 token 的最大数量</translation></message>
    <message><source>Sample tokens</source><translation>随机采样 token</translation></message>
    <message><source>off: always the most likely token</source><translation>关闭：取概率最高的 token</translation></message>
    <message><source>total probability of the tokens to sample from</source><translation>参与采样的 token 的累计概率</translation></message>
    <message><source>a single rank has nothing to divide</source><translation>只有一个 rank，无需分担</translation></message>
    <message><source>set on the page Cloud and TPU</source><translation>在“云”中询问</translation></message>
    <message><source>Yes</source><translation>是</translation></message>
    <message><source>Not with the engine: %1 (%2).</source><translation>引擎不支持：%1（%2）。</translation></message>
    <message><source>Selected rank</source><translation>选中的 rank</translation></message>
    <message><source>A step on this mesh</source><translation>在此网格上的一步</translation></message>
    <message><source>Mesh of ranks</source><translation>rank 网格</translation></message>
    <message><source>Dimension that colours the ranks</source><translation>为 rank 着色的维度</translation></message>
    <message><source>text, tables or images, or a data set of the hub: hub:org/name; drop one here</source><translation>文本、表格或图像，或 hub 上的数据集：hub:org/name；可拖放到此处</translation></message>
    <message><source>sharded over the ranks: 0 nothing, 1 optimizer state, 2 also gradients, 3 also weights</source><translation>在各 rank 间分片：0 不分片，1 优化器状态，2 还包括梯度，3 还包括权重</translation></message>
    <message><source>Weights</source><translation>权重</translation></message>
    <message><source>nvme: with ZeRO stage 3, in files on a disk, read for one layer at a time (only with ranks on processors)</source><translation>nvme：在 ZeRO 第 3 阶段，放在磁盘文件中，每次只读取一层（仅限处理器上的 rank）</translation></message>
    <message><source>Folder for weights</source><translation>存放权重的文件夹</translation></message>
    <message><source>Divide positions</source><translation>切分位置</translation></message>
    <message><source>tensor-parallel ranks also divide them between the layers: less memory</source><translation>张量并行的 rank 在层之间也切分位置：占用更少内存</translation></message>
    <message><source>Capacity of experts</source><translation>专家容量</translation></message>
    <message><source>tokens of a sample, as a multiple of an even share; 0: no limit</source><translation>每个样本的词元数，为平均份额的倍数；0：无上限</translation></message>
    <message><source>on %1 %2</source><translation>在 %1 上%2</translation></message>
    <message><source>Choices</source><translation>选项</translation></message>
    <message><source>columns of the texts to choose from; empty: ending0, ending1, …</source><translation>供选择的文本所在的列；留空：ending0、ending1……</translation></message>
    <message><source>Overlap</source><translation>重叠</translation></message>
    <message><source>tokens that two parts of a long text share</source><translation>长文本相邻两段共享的 token 数</translation></message>
    <message><source>Longest answer</source><translation>最长答案</translation></message>
    <message><source>tokens</source><translation>token 数</translation></message>
    <message><source>Class in file name</source><translation>文件名中的类别</translation></message>
    <message><source>an expression, e.g. ^(.*)_\d+; empty: folders are classes</source><translation>表达式，例如 ^(.*)_\d+；留空：文件夹即类别</translation></message>
    <message><source>Image size</source><translation>图像大小</translation></message>
    <message><source>pixels of either side; 0: that of the model</source><translation>每边的像素数；0：模型的大小</translation></message>
    <message><source>Random crop</source><translation>随机裁剪</translation></message>
    <message><source>smallest share of the area, e.g. 0.08; 0: whole images</source><translation>面积的最小比例，例如 0.08；0：完整图像</translation></message>
    <message><source>Mirrored share</source><translation>镜像比例</translation></message>
    <message><source>of training images, e.g. 0.5</source><translation>训练图像的比例，例如 0.5</translation></message>
    <message><source>Candidates</source><translation>候选</translation></message>
    <message><source>beginnings and ends of answers that are compared</source><translation>参与比较的答案起点和终点</translation></message>
    <message><source>Mean of channels</source><translation>通道均值</translation></message>
    <message><source>e.g. [0.485, 0.456, 0.406]; empty: of the weights&apos; folder</source><translation>例如 [0.485, 0.456, 0.406]；留空：取自权重文件夹</translation></message>
    <message><source>Deviation of channels</source><translation>通道标准差</translation></message>
    <message><source>e.g. [0.229, 0.224, 0.225]</source><translation>例如 [0.229, 0.224, 0.225]</translation></message>
    <message><source>f1, precision, recall, perplexity, or of plug-ins</source><translation>f1、precision、recall、perplexity，或插件的指标</translation></message>
    <message><source>Ranks of a second copy</source><translation>第二份副本的 rank 数</translation></message>
    <message><source>with ZeRO stage 3, such as those of a machine: gathers stay among them; 1: none</source><translation>用于 ZeRO 阶段 3，例如一台机器的 rank：收集在它们之间进行；1：无</translation></message>
    <message><source>Send weights in 8 bits</source><translation>以 8 位发送权重</translation></message>
    <message><source>with ZeRO stage 3; less exact</source><translation>用于 ZeRO 阶段 3；精度较低</translation></message>
    <message><source>Send gradients in 4 bits</source><translation>以 4 位发送梯度</translation></message>
    <message><source>First rank reads weights</source><translation>由第一个 rank 读取权重</translation></message>
    <message><source>and sends them to the others, which open no file</source><translation>并发送给其他 rank，它们不打开文件</translation></message>
    <message><source>besides the run&apos;s own: mlflow, wandb, csv, …</source><translation>除运行自身之外：mlflow、wandb、csv、…</translation></message>
    <message><source>Tracker arguments</source><translation>跟踪器参数</translation></message>
    <message><source>e.g. {mlflow: {run_name: first}}</source><translation>例如 {mlflow: {run_name: first}}</translation></message>
</context>
<context>
    <name>trainyard::desktop::AlarmSettings</name>
    <message><source>Alarms of %1</source><translation>%1 的告警</translation></message>
    <message><source>These settings apply to this run only.</source><translation>这些设置仅适用于此运行。</translation></message>
    <message><source>Off</source><translation>关闭</translation></message>
    <message><source>In app</source><translation>应用内</translation></message>
    <message><source>Desktop</source><translation>桌面</translation></message>
</context>
<context>
    <name>trainyard::desktop::AlarmWatch</name>
    <message><source>no step for %1, since step %2</source><translation>自第 %2 步起已有 %1 没有新步</translation></message>
    <message><source>the loss is not a number at step %1</source><translation>第 %1 步的损失不是数值</translation></message>
    <message><source>the loss is %1, above %2</source><translation>损失为 %1，高于 %2</translation></message>
    <message><source>the smoothed loss has risen from %1 to %2 since step %3</source><translation>自第 %3 步起，平滑损失已从 %1 上升到 %2</translation></message>
    <message><source>%1 tok/s, usually %2</source><translation>%1 tok/s，平常为 %2</translation></message>
    <message><source>%1 free on the disk of the run folder</source><translation>运行文件夹所在磁盘可用 %1</translation></message>
    <message><source>%1 % of a machine&apos;s memory is in use</source><translation>一台机器的内存已使用 %1 %</translation></message>
</context>
<context>
    <name>trainyard::desktop::AnswerPanel</name>
    <message><source>Folder…</source><translation>文件夹…</translation></message>
    <message><source>Checkpoint, %1</source><translation>checkpoint，%1</translation></message>
    <message><source>A checkpoint, an adapter or a model of transformers from another folder</source><translation>来自其他文件夹的 checkpoint、适配器或 transformers 模型</translation></message>
    <message><source>Answer, %1</source><translation>回答，%1</translation></message>
    <message><source>The text appears here as it is written.</source><translation>文本会随生成过程显示在此处。</translation></message>
    <message><source>A model to try</source><translation>要试用的模型</translation></message>
    <message><source>No checkpoint: choose a folder</source><translation>没有 checkpoint：请选择文件夹</translation></message>
    <message numerus="yes"><source>%n tokens</source><translation><numerusform>%n 个 token</numerusform></translation></message>
    <message><source>, %1 per second</source><translation>，每秒 %1 个</translation></message>
    <message><source>, ended by the model</source><translation>，由模型结束</translation></message>
    <message><source>, stopped</source><translation>，已停止</translation></message>
    <message><source>Loading the model…</source><translation>正在加载模型…</translation></message>
    <message><source>Writing…</source><translation>正在生成…</translation></message>
    <message><source>, the context of %1 tokens is full</source><translation>，模型最多只能看到 %1 个 token</translation></message>
</context>
<context>
    <name>trainyard::desktop::AnswersPanel</name>
    <message><source>%1, %2 tokens/s</source><translation>%1，%2 token/s</translation></message>
    <message><source>Loss in chunks</source><translation>分块计算损失</translation></message>
    <message><source>Flash attention</source><translation>Flash attention</translation></message>
    <message><source>Products in %1</source><translation>以 %1 做乘法</translation></message>
    <message><source>8-bit AdamW</source><translation>8 位 AdamW</translation></message>
    <message><source>Full checkpointing</source><translation>完全重计算激活</translation></message>
    <message><source>Selective checkpointing</source><translation>选择性重计算激活</translation></message>
    <message><source>Offload optimizer</source><translation>卸载优化器</translation></message>
    <message><source>ZeRO %1</source><translation>ZeRO %1</translation></message>
    <message><source>Micro-batch %1</source><translation>micro-batch %1</translation></message>
    <message><source>Tensor parallel %1</source><translation>张量并行 %1</translation></message>
    <message><source>Pipeline stages %1</source><translation>流水线 stage %1</translation></message>
    <message><source>Fullest rank</source><translation>占用最多的 rank</translation></message>
    <message><source>What fits</source><translation>可容纳范围</translation></message>
    <message><source>Largest micro-batch</source><translation>最大 micro-batch</translation></message>
    <message><source>Longest sequence</source><translation>最长序列</translation></message>
    <message><source>Fewest devices</source><translation>最少设备数</translation></message>
    <message><source>Save memory, cheapest first</source><translation>节省内存，代价最小者优先</translation></message>
    <message><source>Modelled: the memory of layouts that this engine trains was measured, the rest follows published formulas.</source><translation>模型估算：此引擎可训练的布局的内存为实测值，其余依据已发表的公式。</translation></message>
    <message><source>Apply</source><translation>应用</translation></message>
    <message><source>Apply: %1</source><translation>应用：%1</translation></message>
    <message><source>not judged</source><translation>未评判</translation></message>
    <message><source>fits</source><translation>可容纳</translation></message>
    <message><source>does not fit</source><translation>无法容纳</translation></message>
    <message><source>%1 spare</source><translation>剩余 %1</translation></message>
    <message><source>none</source><translation>无</translation></message>
    <message><source>%1 % speed</source><translation>速度 %1 %</translation></message>
    <message><source>Try</source><translation>试用</translation></message>
    <message><source>Try: %1</source><translation>试用：%1</translation></message>
    <message><source>%1 short on this rank</source><translation>此 rank 缺少 %1</translation></message>
    <message><source>%1 of host memory short: a host has %2</source><translation>主机内存缺少 %1：每台主机有 %2</translation></message>
    <message><source>Optimizer state on disk</source><translation>优化器状态在磁盘上</translation></message>
    <message><source>Offload parameters</source><translation>卸载参数</translation></message>
    <message><source>No sharding</source><translation>不分片</translation></message>
    <message><source>Accumulation %1</source><translation>累积 %1</translation></message>
    <message><source>Context parallel %1</source><translation>上下文并行 %1</translation></message>
    <message><source>Fastest layout</source><translation>最快的布局</translation></message>
    <message><source>%1 × %2</source><translation>%1 × %2</translation></message>
    <message><source>tight</source><translation>紧张</translation></message>
    <message><source>%1 spare; the end of the range is %2 above the limit</source><translation>剩余 %1；范围上限超出限制 %2</translation></message>
    <message><source>this one</source><translation>当前布局</translation></message>
    <message><source>of %1, range %2 – %3</source><translation>共 %1，范围 %2 – %3</translation></message>
    <message><source>A step takes about %1 (%2 – %3), %4 tokens/s</source><translation>每步约需 %1（%2 – %3），%4 token/s</translation></message>
</context>
<context>
    <name>trainyard::desktop::AppContext</name>
    <message><source>Launching…</source><translation>正在启动…</translation></message>
    <message><source>The run was not started</source><translation>运行未启动</translation></message>
    <message><source>The run was not started: see Notifications.</source><translation>运行未启动：请查看“通知”。</translation></message>
    <message><source>A run on another host is not followed</source><translation>无法跟踪其他主机上的运行</translation></message>
    <message><source>The program trainyard</source><translation>程序 trainyard</translation></message>
    <message><source>%1 says that it is a copy of a run on another machine, and was not made by this program. Open it and press Reconnect to see which host it names.</source><translation>%1 自称是另一台机器上某次运行的副本，且不是由本程序创建的。请打开它并按“重新连接”，查看它指定的主机。</translation></message>
</context>
<context>
    <name>trainyard::desktop::AppearanceSettings</name>
    <message><source>System</source><translation>系统</translation></message>
    <message><source>Light</source><translation>浅色</translation></message>
    <message><source>Dark</source><translation>深色</translation></message>
    <message><source>Black and white with strong lines</source><translation>黑白配色，线条清晰</translation></message>
    <message><source>Theme</source><translation>主题</translation></message>
    <message><source>System follows the theme of the desktop</source><translation>“系统”跟随桌面的主题</translation></message>
    <message><source>Language</source><translation>语言</translation></message>
    <message><source>System follows the language of the desktop</source><translation>“系统”跟随桌面的语言</translation></message>
    <message><source>The language changes when the window is started again; runs continue meanwhile.</source><translation>重新启动窗口后使用此语言；期间运行会继续。</translation></message>
    <message><source>%1 %</source><translation>%1 %</translation></message>
    <message><source>Size of text</source><translation>文字大小</translation></message>
    <message><source>set by QT_SCALE_FACTOR in the environment, so it cannot be changed here</source><translation>由环境变量 QT_SCALE_FACTOR 设置，因此不能在此更改</translation></message>
    <message><source>of text and of all that belongs to it</source><translation>文字及其相关的一切</translation></message>
    <message><source>The text size changes when the window is started again; runs continue meanwhile.</source><translation>重新启动窗口后使用此大小；期间运行会继续。</translation></message>
    <message><source>High contrast</source><translation>高对比度</translation></message>
    <message><source>For users who cannot easily distinguish greys</source><translation>适合难以分辨灰度的眼睛</translation></message>
    <message><source>The colours change when the window is started again; runs continue meanwhile.</source><translation>重新启动窗口后使用这些颜色；期间运行会继续。</translation></message>
    <message><source>Usual</source><translation>正常</translation></message>
    <message><source>Without green</source><translation>绿色盲</translation></message>
    <message><source>Preview of colours</source><translation>颜色预览</translation></message>
    <message><source>Shows the window as seen with deuteranopia (without green cones), until it is closed</source><translation>以缺少绿色视锥细胞（绿色盲）者的视角显示窗口；直到窗口关闭</translation></message>
</context>
<context>
    <name>trainyard::desktop::BatchChart</name>
    <message><source>Memory by micro-batch</source><translation>内存与 micro-batch</translation></message>
    <message><source>now</source><translation>当前</translation></message>
    <message><source>checkpointed</source><translation>重计算</translation></message>
</context>
<context>
    <name>trainyard::desktop::BatchPanel</name>
    <message><source>Keep</source><translation>保持</translation></message>
    <message><source>Linear</source><translation>线性</translation></message>
    <message><source>Square root</source><translation>平方根</translation></message>
    <message><source>Effective batch</source><translation>有效 batch</translation></message>
    <message><source>Tuned on</source><translation>调优时的 rank 数</translation></message>
    <message><source>Ranks these numbers were tuned on</source><translation>调优这些数值时所用的 rank 数</translation></message>
    <message><source>ranks</source><translation>个 rank</translation></message>
    <message><source>Learning rate</source><translation>学习率</translation></message>
    <message><source>How the learning rate follows changes of the effective batch</source><translation>有效 batch 改变时如何调整学习率</translation></message>
    <message><source>Keep the learning rate</source><translation>保持学习率</translation></message>
    <message><source>The step time is known after a first run of this model.</source><translation>首次运行此模型后即可得知每步时间。</translation></message>
    <message><source>about %1 a step and %2 in all, estimated from this machine&apos;s peak</source><translation>每步约 %1，总计约 %2，根据本机峰值估算</translation></message>
    <message><source>%1 a step, %2 in all, at the speed of the run %3</source><translation>每步 %1，总计 %2，按运行 %3 的速度</translation></message>
    <message><source>%1 × %2 × %3 = %4 sequences a step, %5 tokens</source><translation>%1 × %2 × %3 = 每步 %4 个序列，%5 个 token</translation></message>
    <message><source>batch %1, accumulation %2, lr %3: %4</source><translation>batch %1，累积 %2，lr %3：%4</translation></message>
    <message><source>Apply</source><translation>应用</translation></message>
    <message><source>Apply %1</source><translation>应用 %1</translation></message>
    <message numerus="yes"><source>%Ln ranks</source><translation><numerusform>%Ln 个 rank</numerusform></translation></message>
    <message><source>batch and accumulation are not valid numbers yet</source><translation>批量和累积还不是可用的数值</translation></message>
</context>
<context>
    <name>trainyard::desktop::CalibrationLine</name>
    <message numerus="yes"><source>%n runs used %1 of their estimate (%2 to %3).</source><translation><numerusform>%n 次运行实际用量为估计的 %1 倍（%2 至 %3）。</numerusform></translation></message>
    <message numerus="yes"><source>The program takes %1, measured by %n runs.</source><translation><numerusform>程序本身占用 %1，由 %n 次运行测得。</numerusform></translation></message>
    <message><source>Forget</source><translation>清除</translation></message>
    <message><source>Delete what runs have measured on this device; the next runs measure again</source><translation>此设备上运行测得的数据不再计入；后续运行会重新测量</translation></message>
    <message><source>Calibrated on %1: %2</source><translation>在 %1 上学到：%2</translation></message>
    <message><source>No calibration for %1 yet: runs that end on it from now on are measured.</source><translation>%1 上尚无校准数据：今后在其上结束的运行会计入。</translation></message>
    <message><source>    last by %1, %2</source><translation>    最近来自 %1，%2</translation></message>
    <message><source>Kept in %1. From three runs of at least 512 MiB on, the factor counts in what fits.</source><translation>保存在 %1。至少有三次不小于 512 MiB 的运行后，该系数才用于判断能否放下。</translation></message>
    <message><source>Delete the calibration of %1</source><translation>清除在 %1 上学到的数据</translation></message>
</context>
<context>
    <name>trainyard::desktop::CardGrid</name>
    <message><source>Charts</source><translation>图表</translation></message>
    <message><source>%1 of %2</source><translation>%1 / %2</translation></message>
</context>
<context>
    <name>trainyard::desktop::CardSet</name>
    <message><source>Pinned</source><translation>已固定</translation></message>
    <message><source>Starred</source><translation>已加星标</translation></message>
    <message><source>Without a group</source><translation>未分组</translation></message>
    <message><source>Parameters</source><translation>参数</translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckTable</name>
    <message><source>This machine</source><translation>本机</translation></message>
    <message><source>passed on %1 of %2</source><translation>%2 台中有 %1 台通过</translation></message>
    <message><source>Check</source><translation>检查项</translation></message>
    <message><source>%1 hosts</source><translation>%1 台主机</translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckView</name>
    <message><source>Checks</source><translation>检查</translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckpointActions</name>
    <message><source>Verifying %1</source><translation>正在校验 %1</translation></message>
    <message><source>%1 is damaged</source><translation>%1 已损坏</translation></message>
    <message><source>%1 has numbers that are not finite</source><translation>%1 含有非有限数值</translation></message>
    <message><source>%1 has %2 NaN and %3 infinite elements.</source><translation>%1 含有 %2 个 NaN 元素和 %3 个无穷大元素。</translation></message>
    <message><source>%1 is whole</source><translation>%1 完好</translation></message>
    <message><source>Headers and lengths are right; for some files no checksum is known.</source><translation>文件头和长度正确；部分文件没有记录校验和。</translation></message>
    <message><source>Every byte was read and matches the saved data.</source><translation>已读取每个字节，均与保存时一致。</translation></message>
    <message><source>It cannot be verified</source><translation>无法校验</translation></message>
    <message><source>Writing %1</source><translation>正在写入 %1</translation></message>
    <message><source>Written and read back</source><translation>已写入并读回验证</translation></message>
    <message numerus="yes"><source>%1 with %n tensors in %2</source><translation><numerusform>%1，%2 中的 %n 个张量</numerusform></translation></message>
    <message><source>It was not written</source><translation>未写入</translation></message>
    <message numerus="yes"><source>Remove %n checkpoints?</source><translation><numerusform>移除 %n 个 checkpoint？</numerusform></translation></message>
    <message><source>%1 are moved to the trash folder next to them, from which they can be restored.</source><translation>%1 将移至同一位置的回收站，可从中还原。</translation></message>
    <message><source>The newest whole checkpoint is never removed.</source><translation>最新的完好 checkpoint 从不移除。</translation></message>
    <message><source>Remove %1?</source><translation>移除 %1？</translation></message>
    <message><source>%1 are moved to the trash folder next to it.</source><translation>%1 将移至同一位置的回收站。</translation></message>
    <message><source>Remove</source><translation>移除</translation></message>
    <message numerus="yes"><source>%n checkpoints removed</source><translation><numerusform>已移除 %n 个 checkpoint</numerusform></translation></message>
    <message><source>Undo</source><translation>撤消</translation></message>
    <message><source>It cannot be restored</source><translation>无法还原</translation></message>
    <message><source>It cannot be removed</source><translation>无法移除</translation></message>
    <message><source>It cannot be pinned</source><translation>无法固定</translation></message>
    <message><source>The checkpoint was not removed</source><translation>检查点未删除</translation></message>
    <message><source>Some checkpoints were not removed</source><translation>部分检查点未删除</translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckpointListModel</name>
    <message><source>best</source><translation>最佳</translation></message>
    <message><source>pinned</source><translation>已固定</translation></message>
    <message><source>being written</source><translation>正在写入</translation></message>
    <message><source>broken</source><translation>损坏</translation></message>
    <message><source>not finite</source><translation>非有限值</translation></message>
    <message><source>Step</source><translation>步</translation></message>
    <message><source>Metric</source><translation>指标</translation></message>
    <message><source>Layout</source><translation>布局</translation></message>
    <message><source>Saved</source><translation>保存时间</translation></message>
    <message><source>to be removed</source><translation>将删除</translation></message>
    <message><source>on %1</source><translation>在 %1 上</translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckpointListPanel</name>
    <message><source>Val loss</source><translation>验证损失</translation></message>
    <message><source>Train loss</source><translation>训练损失</translation></message>
    <message><source>Prune…</source><translation>清理…</translation></message>
    <message><source>By step</source><translation>按步</translation></message>
    <message><source>Checkpoints</source><translation>checkpoint</translation></message>
    <message><source>Number of best checkpoints to keep</source><translation>保留多少个最佳的</translation></message>
    <message><source>Number of newest checkpoints to keep</source><translation>保留多少个最新的</translation></message>
    <message><source>Interval in steps of the checkpoints to keep</source><translation>每隔这么多步保留一个</translation></message>
    <message><source>Checkpoints whose step is a multiple are kept</source><translation>保留步数为其倍数的</translation></message>
    <message><source>Validation loss by step, a dot for each checkpoint</source><translation>按步的验证损失，每个 checkpoint 一个点</translation></message>
    <message><source>Training loss by step, a dot for each checkpoint</source><translation>按步的训练损失，每个 checkpoint 一个点</translation></message>
    <message><source>good</source><translation>完好</translation></message>
    <message><source>broken</source><translation>损坏</translation></message>
    <message><source>Files, %1</source><translation>文件，%1</translation></message>
    <message><source>every byte, against a recorded hash</source><translation>每个字节，与记录的哈希比对</translation></message>
    <message><source>every byte, against the archive&apos;s checksums</source><translation>每个字节，与归档的校验和比对</translation></message>
    <message><source>header and length only: no checksum is known</source><translation>仅文件头和长度：没有记录校验和</translation></message>
    <message numerus="yes"><source>Keep the %n best checkpoints</source><translation><numerusform>保留最好的 %n 个 checkpoint</numerusform></translation></message>
    <message numerus="yes"><source>Keep the %n newest checkpoints</source><translation><numerusform>保留最新的 %n 个 checkpoint</numerusform></translation></message>
    <message numerus="yes"><source>Keep one every %n steps, and pinned ones</source><translation><numerusform>每 %n 步保留一个，以及已固定的 checkpoint</numerusform></translation></message>
    <message><source>Keep best 0 and last 0 keeps nothing: use 1 or more</source><translation>最佳 0 个且最新 0 个将不保留任何内容：请使用 1 或更大的值</translation></message>
    <message><source>Removes nothing</source><translation>不移除任何内容</translation></message>
    <message><source>Removes %1: %2</source><translation>移除 %1 个：%2</translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckpointsPage</name>
    <message><source>Some tensors cannot be read</source><translation>部分张量无法读取</translation></message>
    <message><source>%1 weights · %2 parameters · headers read in %3</source><translation>权重 %1 · %2 个参数 · 文件头读取用时 %3</translation></message>
    <message><source>Comparing</source><translation>正在比较</translation></message>
    <message><source>Reading values</source><translation>正在读取数值</translation></message>
    <message><source>, %1 of %2</source><translation>，%1 / %2</translation></message>
    <message><source>, %1 left</source><translation>，剩余 %1</translation></message>
    <message><source>It cannot be read</source><translation>无法读取</translation></message>
    <message><source>They cannot be compared</source><translation>无法比较</translation></message>
    <message><source>Not everything can be compared</source><translation>并非所有内容都能比较</translation></message>
    <message><source>Checkpoints</source><translation>checkpoint</translation></message>
    <message><source>Open…</source><translation>打开…</translation></message>
    <message><source>Verify</source><translation>校验</translation></message>
    <message><source>Export…</source><translation>导出…</translation></message>
    <message><source>Resume</source><translation>恢复</translation></message>
    <message><source>Run</source><translation>运行</translation></message>
    <message><source>Files, lengths, hashes, index, NaN (V)</source><translation>文件、长度、哈希、索引、NaN (V)</translation></message>
    <message><source>Try it</source><translation>试用</translation></message>
    <message><source>Try it: a prompt, and how this checkpoint continues it</source><translation>试用：输入提示词，查看此 checkpoint 如何续写</translation></message>
    <message><source>Folder…</source><translation>文件夹…</translation></message>
    <message><source>On a host, over SSH…</source><translation>通过 SSH 访问主机…</translation></message>
    <message><source>Checkpoints of your runs appear here.</source><translation>各运行的 checkpoint 会显示在此处。</translation></message>
    <message><source>Any folder or file of weights can be opened: safetensors, torch, distributed checkpoints, ZeRO, GGUF.</source><translation>可以打开任何权重文件夹或文件：safetensors、torch、分布式 checkpoint、ZeRO、GGUF。</translation></message>
    <message><source>Open folder…</source><translation>打开文件夹…</translation></message>
    <message><source>Resume from the chosen checkpoint</source><translation>从所选 checkpoint 恢复</translation></message>
    <message><source>Verify it</source><translation>校验</translation></message>
    <message><source>Compare it with the one before</source><translation>与前一个比较</translation></message>
    <message><source>Pin it</source><translation>固定</translation></message>
    <message><source>Remove it</source><translation>移除</translation></message>
    <message><source>Open a checkpoint</source><translation>打开 checkpoint</translation></message>
    <message><source>Checkpoint on another machine</source><translation>其他机器上的 checkpoint</translation></message>
    <message><source>Host and folder, for example gpu-a:runs/today/checkpoints/checkpoint_500.
Only headers and the tensors you view are downloaded.</source><translation>主机和文件夹，例如 gpu-a:runs/today/checkpoints/checkpoint_500。
只会传输文件头和所查看的内容。</translation></message>
    <message><source>It cannot be opened</source><translation>无法打开</translation></message>
    <message><source>Connecting to %1…</source><translation>正在连接到 %1…</translation></message>
    <message><source>Resume from %1</source><translation>从 %1 恢复</translation></message>
    <message><source>No checkpoint in %1 yet</source><translation>%1 中还没有 checkpoint</translation></message>
    <message><source>%1 downloaded</source><translation>已传输 %1</translation></message>
    <message numerus="yes"><source>%n checkpoints</source><translation><numerusform>%n 个 checkpoint</numerusform></translation></message>
    <message><source>disk %1 free</source><translation>磁盘可用 %1</translation></message>
    <message><source>Reading headers…</source><translation>正在读取文件头…</translation></message>
    <message><source>It is being written</source><translation>正在写入</translation></message>
    <message><source>It is not whole</source><translation>不完整</translation></message>
    <message><source>Resume from %1 instead.</source><translation>请改为从 %1 恢复。</translation></message>
    <message><source>Weights (*.safetensors *.gguf *.bin *.pt *.pth *.ckpt *.index.json);;All files (*)</source><translation>权重 (*.safetensors *.gguf *.bin *.pt *.pth *.ckpt *.index.json);;所有文件 (*)</translation></message>
    <message><source>File…</source><translation>文件…</translation></message>
    <message><source>Open file…</source><translation>打开文件…</translation></message>
    <message><source>Open a file of weights</source><translation>打开权重文件</translation></message>
    <message><source>Compare with a file of weights</source><translation>与权重文件比较</translation></message>
    <message><source>Compare with a checkpoint</source><translation>与 checkpoint 比较</translation></message>
    <message><source>Newest of a run</source><translation>某次运行的最新 checkpoint</translation></message>
    <message><source>Run and step…</source><translation>运行和步…</translation></message>
    <message><source>Compare with a step of a run</source><translation>与某次运行的某一步比较</translation></message>
    <message><source>Name or folder of the run and the step, for example llama@18000.
Without a step, the newest whole checkpoint is used.</source><translation>运行的名称或文件夹以及步，例如 llama@18000。
不写步时使用最新的完整 checkpoint。</translation></message>
    <message><source>Compare with a checkpoint on another machine</source><translation>与另一台机器上的 checkpoint 比较</translation></message>
    <message><source>Host and folder, for example gpu-a:runs/today/checkpoints/checkpoint_500.
The tensors that both have are downloaded.</source><translation>主机和文件夹，例如 gpu-a:runs/today/checkpoints/checkpoint_500。
两者都有的张量会被下载。</translation></message>
    <message><source>It is on %1</source><translation>它在 %1 上</translation></message>
    <message><source>Copy to this machine</source><translation>复制到本机</translation></message>
</context>
<context>
    <name>trainyard::desktop::ChoiceCard</name>
    <message><source>chosen. </source><translation>已选择。 </translation></message>
</context>
<context>
    <name>trainyard::desktop::ColumnsPopup</name>
    <message><source>Search settings and metrics</source><translation>搜索设置和指标</translation></message>
    <message><source>Find a column</source><translation>查找列</translation></message>
    <message><source>Columns</source><translation>列</translation></message>
    <message><source>Settings that differ</source><translation>有差异的设置</translation></message>
    <message><source>Metrics</source><translation>指标</translation></message>
    <message><source>Equal settings</source><translation>相同的设置</translation></message>
</context>
<context>
    <name>trainyard::desktop::CommandPalette</name>
    <message><source>Command palette</source><translation>命令面板</translation></message>
    <message><source>Command, run or setting;  &gt;  commands   ?  shortcuts   @  hosts   :  step   key=  configuration</source><translation>命令、运行或设置；  &gt;  命令   ?  快捷键   @  主机   :  步   key=  配置</translation></message>
    <message><source>This page has no steps</source><translation>此页面没有步</translation></message>
    <message><source>A step is a whole number, e.g. :1200</source><translation>步须为整数，例如 :1200</translation></message>
    <message><source>Go to step %1</source><translation>转到第 %1 步</translation></message>
</context>
<context>
    <name>trainyard::desktop::CompareCurves</name>
    <message numerus="yes"><source>%1 = %2 (%n runs)</source><translation><numerusform>%1 = %2（%n 次运行）</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CompareDrawer</name>
    <message><source>Step</source><translation>步</translation></message>
    <message><source>Time</source><translation>时间</translation></message>
    <message><source>Tokens</source><translation>token</translation></message>
    <message><source>Epoch</source><translation>epoch</translation></message>
    <message><source>Curves</source><translation>曲线</translation></message>
    <message><source>A − B</source><translation>A − B</translation></message>
    <message><source>All</source><translation>全部</translation></message>
    <message><source>Sweep</source><translation>扫描</translation></message>
    <message><source>Comparison</source><translation>比较</translation></message>
    <message><source>Runs across their settings</source><translation>按设置排列的运行</translation></message>
    <message><source>Runs as points</source><translation>以点表示的运行</translation></message>
    <message><source>Metric</source><translation>指标</translation></message>
    <message><source>Group by</source><translation>分组依据</translation></message>
    <message><source>Runs with the same value of a setting as one line: mean, lowest and highest</source><translation>将某项设置取值相同的运行合并为一条线：平均值、最低值和最高值</translation></message>
    <message><source>Horizontal axis</source><translation>横轴</translation></message>
    <message><source>What is compared</source><translation>比较的内容</translation></message>
    <message><source>Each run minus the baseline, at the steps both have</source><translation>每个运行减去基线，在两者共有的步上</translation></message>
    <message><source>All curves of these runs</source><translation>这些运行的所有曲线</translation></message>
    <message><source>Settings that differ and the best value, as parallel coordinates and points</source><translation>以平行坐标和点显示有差异的设置与最佳值</translation></message>
    <message><source>Close the comparison</source><translation>关闭比较</translation></message>
    <message><source>Close the comparison; C opens it again</source><translation>关闭比较；按 C 重新打开</translation></message>
    <message><source>Open in a new window</source><translation>在新窗口中打开</translation></message>
    <message><source>Setting along the horizontal axis</source><translation>横轴上的设置</translation></message>
    <message numerus="yes"><source>Compare %n runs</source><translation><numerusform>比较 %n 个运行</numerusform></translation></message>
    <message><source>No groups</source><translation>不分组</translation></message>
    <message><source>by %1</source><translation>按 %1</translation></message>
    <message><source>Minus %1 (B on a run makes it the baseline).</source><translation>减去 %1（在运行上按 B 可将其设为基线）。</translation></message>
    <message numerus="yes"><source>%n without %1.</source><translation><numerusform>%n 个运行没有 %1。</numerusform></translation></message>
    <message><source>Curves of the first %1 of %2.</source><translation>%2 条曲线中的前 %1 条。</translation></message>
    <message><source>Highest %1</source><translation>最高 %1</translation></message>
    <message><source>Lowest %1</source><translation>最低 %1</translation></message>
    <message><source>Self-contained report (*.html)</source><translation>独立报告 (*.html)</translation></message>
    <message><source>Save the comparison</source><translation>保存比较</translation></message>
    <message><source>Table (*.csv)</source><translation>表格 (*.csv)</translation></message>
    <message><source>Picture (*.png)</source><translation>图片 (*.png)</translation></message>
    <message><source>Select a second run to see a difference.</source><translation>再选择一个运行即可查看差异。</translation></message>
</context>
<context>
    <name>trainyard::desktop::ComparePanel</name>
    <message><source>End</source><translation>结束</translation></message>
    <message><source>End the comparison</source><translation>结束比较</translation></message>
    <message><source>kept</source><translation>已保存</translation></message>
    <message><source>now</source><translation>当前</translation></message>
    <message><source>change</source><translation>变化</translation></message>
    <message><source>Fullest rank</source><translation>占用最多的 rank</translation></message>
    <message><source>Host memory</source><translation>主机内存</translation></message>
    <message><source>Disk</source><translation>磁盘</translation></message>
    <message><source>Checkpoint</source><translation>checkpoint</translation></message>
    <message><source>A step</source><translation>每步</translation></message>
    <message><source>Tokens/s</source><translation>token/s</translation></message>
    <message><source>%1, and now</source><translation>%1 与当前</translation></message>
    <message><source>%1 %2, now %3</source><translation>%1 %2，现为 %3</translation></message>
    <message><source>model</source><translation>模型</translation></message>
    <message><source>devices</source><translation>设备</translation></message>
    <message><source>no longer fits</source><translation>不再放得下</translation></message>
    <message><source>fits now</source><translation>现在放得下</translation></message>
    <message><source>No settings differ.</source><translation>设置没有差别。</translation></message>
</context>
<context>
    <name>trainyard::desktop::ConfigDiffPanel</name>
    <message><source>Config diff</source><translation>配置差异</translation></message>
    <message><source>against</source><translation>对照</translation></message>
    <message><source>Run to compare with</source><translation>要比较的运行</translation></message>
    <message><source>Keys that differ</source><translation>有差异的键</translation></message>
    <message><source>%1: here %2, there %3</source><translation>%1：此处为 %2，对方为 %3</translation></message>
    <message><source>no configuration to compare</source><translation>没有可比较的配置</translation></message>
    <message><source>no differences</source><translation>没有差异</translation></message>
    <message><source>equal otherwise: %1</source><translation>其余相同：%1</translation></message>
</context>
<context>
    <name>trainyard::desktop::ConnectionTestDialog</name>
    <message><source>Ask again</source><translation>重新查询</translation></message>
    <message><source>Copy</source><translation>复制</translation></message>
    <message><source>Connections between hosts</source><translation>主机之间的连接</translation></message>
    <message><source>Close</source><translation>关闭</translation></message>
    <message><source>Each host opens a port for seconds, the others connect. Asking %1 hosts…</source><translation>每台主机短暂打开一个端口，由其他主机连接。正在查询 %1 台主机…</translation></message>
    <message><source>That could not be determined.</source><translation>无法确定。</translation></message>
    <message><source>%1 ms</source><translation>%1 ms</translation></message>
    <message><source>%1 reaches %2 at %3, over %4</source><translation>%1 可连接到 %2（%3），经由 %4</translation></message>
    <message><source>not reached</source><translation>无法连接</translation></message>
    <message><source>%1 does not reach %2: %3</source><translation>%1 无法连接到 %2：%3</translation></message>
    <message><source>Every host reaches every other one.</source><translation>每台主机都能连接到其他所有主机。</translation></message>
    <message><source>%1 of %2 connections work. A run needs all of them between its hosts: open the ports, or leave a host out.</source><translation>%2 个连接中有 %1 个可用。运行需要其各主机之间的所有连接：请打开端口，或不使用某台主机。</translation></message>
    <message><source>and %1 more</source><translation>另有 %1 个</translation></message>
    <message><source>Connections from rows to columns</source><translation>行连接到列</translation></message>
</context>
<context>
    <name>trainyard::desktop::ConsentDialog</name>
    <message><source>What is executed</source><translation>将执行的内容</translation></message>
    <message><source>Cancel</source><translation>取消</translation></message>
</context>
<context>
    <name>trainyard::desktop::CurveArt</name>
    <message><source>Picture of a falling loss curve</source><translation>损失曲线下降的图片</translation></message>
</context>
<context>
    <name>trainyard::desktop::CurveCard</name>
    <message><source>rank %1</source><translation>rank %1</translation></message>
    <message><source>No curve of this name here.</source><translation>此处没有该名称的曲线。</translation></message>
    <message><source>%1 of %2 curves</source><translation>%1 / %2 条曲线</translation></message>
    <message><source>%1 curves</source><translation>%1 条曲线</translation></message>
</context>
<context>
    <name>trainyard::desktop::CurvesPanel</name>
    <message><source>Curves appear here as soon as there are any.</source><translation>一旦有曲线，就会显示在此处。</translation></message>
    <message><source>No tag matches “%1”.</source><translation>没有与“%1”匹配的标签。</translation></message>
    <message><source>Words must all occur in the name; /…/ is a regular expression.</source><translation>名称中须包含所有词；/…/ 为正则表达式。</translation></message>
</context>
<context>
    <name>trainyard::desktop::DataPage</name>
    <message><source>Training data</source><translation>训练数据</translation></message>
    <message><source>Text, tables or arrays are read in place. Nothing is copied.</source><translation>文本、表格或数组会就地读取，不会复制任何内容。</translation></message>
    <message><source>Folder…</source><translation>文件夹…</translation></message>
    <message><source>File…</source><translation>文件…</translation></message>
    <message><source>Columns…</source><translation>列…</translation></message>
    <message><source>Choose a column: %1</source><translation>请选择列：%1</translation></message>
    <message><source>Folder with training data</source><translation>训练数据文件夹</translation></message>
    <message><source>File with training data</source><translation>训练数据文件</translation></message>
    <message><source>By its usual name</source><translation>按常见名称</translation></message>
</context>
<context>
    <name>trainyard::desktop::DataPanel</name>
    <message><source>1 file, %1</source><translation>1 个文件，%1</translation></message>
    <message><source>%1 files, %2</source><translation>%1 个文件，%2</translation></message>
    <message><source>Contents</source><translation>内容</translation></message>
    <message><source>, %1 tokens</source><translation>，%1 个 token</translation></message>
    <message><source>No file has a name that the pattern matches.</source><translation>没有名称与该模式匹配的文件。</translation></message>
    <message><source>Use %1: %2</source><translation>使用 %1：%2</translation></message>
    <message><source>… %1 …</source><translation>… %1 …</translation></message>
    <message><source>First rows</source><translation>前几行</translation></message>
    <message><source>The first rows. Click a column to choose what it is used for.</source><translation>前几行。点击一列以选择其用途。</translation></message>
    <message><source>Use as %1</source><translation>用作 %1</translation></message>
    <message><source>%1 · %2</source><translation>%1 · %2</translation></message>
    <message><source>%1: %2</source><translation>%1：%2</translation></message>
    <message><source>, %1 classes</source><translation>，%1 个类别</translation></message>
    <message><source>No file was read. A field above says why.</source><translation>没有读取文件。上方的字段说明了原因。</translation></message>
    <message><source>Choose a file or folder above.</source><translation>请在上方选择文件或文件夹。</translation></message>
    <message><source>First sample as tokens: %1</source><translation>第一个样本的词元：%1</translation></message>
</context>
<context>
    <name>trainyard::desktop::DesktopNotifier</name>
    <message><source>Open run</source><translation>打开运行</translation></message>
</context>
<context>
    <name>trainyard::desktop::DifferencesPanel</name>
    <message><source>What differs</source><translation>差异</translation></message>
    <message><source>Final</source><translation>最终</translation></message>
    <message><source>Best</source><translation>最佳</translation></message>
    <message><source>Influence</source><translation>影响</translation></message>
    <message><source>Table of the comparison</source><translation>比较表</translation></message>
    <message><source>Export the comparison…</source><translation>导出比较…</translation></message>
    <message><source>Save the comparison as a report, a table or a picture</source><translation>将比较保存为报告、表格或图片</translation></message>
    <message><source>Comparison</source><translation>比较</translation></message>
    <message><source>%1, the baseline</source><translation>%1，基线</translation></message>
    <message><source>Key</source><translation>键</translation></message>
    <message numerus="yes"><source>%n keys are equal in all %1.</source><translation><numerusform>有 %n 个键在全部 %1 个运行中相同。</numerusform></translation></message>
    <message numerus="yes"><source>No differences: all %n keys are equal.</source><translation><numerusform>没有差异：全部 %n 个键都相同。</numerusform></translation></message>
    <message numerus="yes"><source>%n without readable settings.</source><translation><numerusform>%n 个运行没有可读取的设置。</numerusform></translation></message>
    <message><source>Metric</source><translation>指标</translation></message>
    <message><source>%1: higher is better</source><translation>%1：越大越好</translation></message>
    <message><source>%1: lower is better</source><translation>%1：越小越好</translation></message>
    <message><source>Click to sort the runs by it</source><translation>单击可按此对运行排序</translation></message>
    <message><source>No metrics have been read yet.</source><translation>尚未读取任何指标。</translation></message>
    <message><source>No metric name shows whether higher or lower is better.</source><translation>没有任何指标能从名称判断越大越好还是越小越好。</translation></message>
    <message><source>A star marks the best run.</source><translation>星号标记最佳的运行。</translation></message>
    <message numerus="yes"><source>%n metrics without a known direction are listed under Final.</source><translation><numerusform>有 %n 个指标无所谓大小优劣，列在“最终”中。</numerusform></translation></message>
    <message><source>Setting</source><translation>设置</translation></message>
    <message><source>Strength</source><translation>强度</translation></message>
    <message><source>Runs</source><translation>运行</translation></message>
    <message><source>By chance</source><translation>偶然概率</translation></message>
    <message><source>Fewer than %1 runs are not conclusive</source><translation>少于 %1 个运行不足以得出结论</translation></message>
    <message><source>There are no two different values to compare</source><translation>没有两个不同的值可供比较</translation></message>
    <message><source>Rank correlation: a larger value goes with a larger %1</source><translation>秩相关：值越大，%1 越大</translation></message>
    <message><source>Rank correlation: a larger value goes with a smaller %1</source><translation>秩相关：值越大，%1 越小</translation></message>
    <message><source>Correlation ratio: how much of the order of %1 the setting explains</source><translation>相关比：该设置在多大程度上解释了 %1 的次序</translation></message>
    <message><source>Choose a metric to compare the settings with.</source><translation>请选择要与设置进行比较的指标。</translation></message>
    <message numerus="yes"><source>%n finished runs have %1: at least %2 are needed.</source><translation><numerusform>有 %n 个已完成的运行包含 %1：至少需要 %2 个。</numerusform></translation></message>
    <message numerus="yes"><source>No setting can be compared with %1: one of the two is the same in all %n finished runs.</source><translation><numerusform>没有设置可与 %1 比较：在全部 %n 个已完成的运行中，两者之一始终不变。</numerusform></translation></message>
    <message numerus="yes"><source>By the best %1 of %n finished runs. Of %2 settings, %3 would fall below 0.05 by chance. Correlation does not prove a cause.</source><translation><numerusform>依据 %n 个已完成运行的最佳 %1。在 %2 项设置中，会有 %3 项偶然低于 0.05。相关性不能证明因果关系。</numerusform></translation></message>
    <message numerus="yes"><source>%n settings. Select another run to see what differs.</source><translation><numerusform>%n 项设置。再勾选一个运行即可查看差异。</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::DraftKeeper</name>
    <message><source>The draft %1 could not be read. A copy was saved as %1.bad and the form was reset.</source><translation>无法读取草稿 %1；它已另存为 %1.bad，表单将重新开始。</translation></message>
    <message><source>The draft could not be saved: %1</source><translation>无法保存草稿：%1</translation></message>
    <message><source>The draft %1 could not be read.</source><translation>无法读取草稿 %1。</translation></message>
</context>
<context>
    <name>trainyard::desktop::EngineLink</name>
    <message><source>The engine was not found: neither %1 nor trainyard in PATH exists. Choose the program.</source><translation>找不到引擎：%1 和 PATH 中的 trainyard 均不存在。请选择该程序。</translation></message>
    <message><source>, no </source><translation>、</translation></message>
    <message><source>%1 does not answer with its version: choose another program, or build it again.</source><translation>%1 没有返回其版本：请选择其他程序，或重新构建。</translation></message>
    <message><source>The engine was not found: choose the program in the settings.</source><translation>找不到引擎：请在设置中选择该程序。</translation></message>
    <message><source>The engine ended with code %1 and without a message.</source><translation>引擎以代码 %1 退出，没有给出消息。</translation></message>
    <message><source>%1 could not be started: %2</source><translation>无法启动 %1：%2</translation></message>
</context>
<context>
    <name>trainyard::desktop::EstimatorPage</name>
    <message><source>Estimator</source><translation>估算器</translation></message>
    <message><source>Use in a new run</source><translation>用于新运行</translation></message>
    <message><source>What a run needs on every rank, before it starts</source><translation>运行开始前，每个 rank 所需的资源</translation></message>
    <message><source>Model</source><translation>模型</translation></message>
    <message><source>Devices</source><translation>设备</translation></message>
    <message><source>Memory per rank, GiB</source><translation>每个 rank 的内存，GiB</translation></message>
    <message><source>Formula of %1</source><translation>%1 的公式</translation></message>
    <message><source>By micro-batch, GiB</source><translation>按 micro-batch，GiB</translation></message>
    <message><source>Micro-batch</source><translation>Micro-batch</translation></message>
    <message><source>Sequence length</source><translation>序列长度</translation></message>
    <message><source>Undo a change</source><translation>撤回更改</translation></message>
    <message><source>Copy the table of parts</source><translation>复制组成部分表</translation></message>
    <message><source>A config.json, weights or a recipe</source><translation>config.json、权重或配方</translation></message>
    <message><source>Models (*.json *.safetensors *.yaml *.yml *.bin);;All files (*)</source><translation>模型 (*.json *.safetensors *.yaml *.yml *.bin);;所有文件 (*)</translation></message>
    <message><source>This model cannot be estimated</source><translation>无法估算此模型</translation></message>
    <message><source>How the weights were read</source><translation>权重的读取方式</translation></message>
    <message><source>%1: %2 = %3%4</source><translation>%1：%2 = %3%4</translation></message>
    <message><source>Largest tensors: %1</source><translation>最大的张量：%1</translation></message>
    <message><source>Nothing of %1 on the device.</source><translation>设备上没有 %1。</translation></message>
    <message><source>The settings were not written</source><translation>设置未写入</translation></message>
    <message><source>Scenarios</source><translation>方案</translation></message>
    <message><source>Families, with the sizes of transformers</source><translation>模型系列，采用 transformers 的默认尺寸</translation></message>
    <message><source>The model is on the hub. Look it up there again, or open its folder.</source><translation>该模型位于 hub 上。请重新在 hub 上查找，或打开其文件夹。</translation></message>
    <message><source>The last scenario, of %1, was not opened</source><translation>未打开 %1 的上一个方案</translation></message>
    <message><source>Open a file or folder…</source><translation>打开文件或文件夹…</translation></message>
    <message><source>Look up on the hub…</source><translation>在 hub 上查找…</translation></message>
</context>
<context>
    <name>trainyard::desktop::EventsPanel</name>
    <message><source>Events</source><translation>事件</translation></message>
</context>
<context>
    <name>trainyard::desktop::ExpertDelegate</name>
    <message><source>flag of launch</source><translation>launch 的标志</translation></message>
    <message><source>not set</source><translation>未设置</translation></message>
</context>
<context>
    <name>trainyard::desktop::ExpertModel</name>
    <message><source>General</source><translation>常规</translation></message>
    <message><source>SageMaker</source><translation>SageMaker</translation></message>
    <message><source>Only on the command line</source><translation>仅限命令行</translation></message>
    <message><source>Not known to this version</source><translation>此版本未知</translation></message>
    <message><source>Remove</source><translation>移除</translation></message>
    <message><source>Use %1</source><translation>使用 %1</translation></message>
    <message><source>not known to this version; written back as it is</source><translation>此版本未知；将原样写回</translation></message>
    <message><source>%1: %2</source><translation>%1：%2</translation></message>
    <message><source>Default: %1</source><translation>默认值：%1</translation></message>
    <message><source>Only when %1</source><translation>仅当 %1</translation></message>
    <message><source>Flag: %1</source><translation>标志：%1</translation></message>
    <message><source>Environment of a rank: %1</source><translation>rank 的环境变量：%1</translation></message>
    <message><source>Read by: %1</source><translation>读取者：%1</translation></message>
    <message><source>Since Accelerate %1</source><translation>自 Accelerate %1 起</translation></message>
    <message><source>Until Accelerate %1</source><translation>至 Accelerate %1 止</translation></message>
    <message><source>%1, %2 set</source><translation>%1，已设置 %2 项</translation></message>
    <message><source>a flag of launch</source><translation>launch 的标志</translation></message>
    <message><source>not set, default %1</source><translation>未设置，默认为 %1</translation></message>
    <message><source>Key</source><translation>键</translation></message>
    <message><source>Value</source><translation>值</translation></message>
    <message><source>Default</source><translation>默认值</translation></message>
    <message><source>Meaning</source><translation>含义</translation></message>
    <message><source>Read by</source><translation>读取者</translation></message>
    <message><source>Recipe</source><translation>配方</translation></message>
    <message><source>Recipe: %1</source><translation>配方：%1</translation></message>
    <message><source>the engine</source><translation>引擎</translation></message>
</context>
<context>
    <name>trainyard::desktop::ExpertTree</name>
    <message><source>%1 set</source><translation>已设置 %1 项</translation></message>
    <message numerus="yes"><source>%Ln keys</source><translation><numerusform>%Ln 个键</numerusform></translation></message>
    <message><source>Edit the value</source><translation>编辑值</translation></message>
    <message><source>Remove it from the file</source><translation>从文件中移除</translation></message>
    <message><source>Copy the key</source><translation>复制键</translation></message>
    <message><source>Copy key and value</source><translation>复制键和值</translation></message>
    <message><source>Every key of recipe and settings</source><translation>配方和设置的所有键</translation></message>
</context>
<context>
    <name>trainyard::desktop::ExpertView</name>
    <message><source>All</source><translation>全部</translation></message>
    <message><source>Set</source><translation>已设置</translation></message>
    <message><source>Changed</source><translation>已更改</translation></message>
    <message><source>Invalid</source><translation>无效</translation></message>
    <message><source>Search key, meaning or flag</source><translation>搜索键、含义或标志</translation></message>
    <message><source>Set %1</source><translation>已设置 %1</translation></message>
    <message><source>Changed %1</source><translation>已更改 %1</translation></message>
    <message><source>Invalid %1</source><translation>无效 %1</translation></message>
    <message><source>every key, %1 in all</source><translation>全部键，共 %1 个</translation></message>
    <message><source>%1 of %2 keys</source><translation>%1 / %2 个键</translation></message>
    <message><source>no key matches</source><translation>没有匹配的键</translation></message>
</context>
<context>
    <name>trainyard::desktop::ExportMenu</name>
    <message><source>Merge into one file…</source><translation>合并为一个文件…</translation></message>
    <message><source>Folder for transformers…</source><translation>transformers 文件夹…</translation></message>
    <message><source>Convert to %1…</source><translation>转换为 %1…</translation></message>
    <message><source>Shards of 5 GB with an index…</source><translation>5 GB 分片并附索引…</translation></message>
    <message><source>torch.distributed.checkpoint for %1 ranks…</source><translation>适用于 %1 个 rank 的 torch.distributed.checkpoint…</translation></message>
    <message><source>Average of all good ones…</source><translation>所有完好 checkpoint 的平均…</translation></message>
    <message><source>Types, shards, shares, names…</source><translation>类型、分片、比例、名称…</translation></message>
    <message><source>There is nothing to average</source><translation>没有可平均的内容</translation></message>
    <message><source>An average needs two whole checkpoints or more.</source><translation>求平均需要两个或更多完好的 checkpoint。</translation></message>
    <message><source>Average of %1 checkpoints</source><translation>%1 个 checkpoint 的平均</translation></message>
    <message><source>Write</source><translation>写入</translation></message>
</context>
<context>
    <name>trainyard::desktop::FailurePanel</name>
    <message><source>ended by signal %1 (%2)</source><translation>被信号 %1 (%2) 终止</translation></message>
    <message><source>exit code %1</source><translation>退出代码 %1</translation></message>
    <message><source>Run again</source><translation>重新运行</translation></message>
    <message><source>Why the run failed</source><translation>运行失败的原因</translation></message>
    <message><source>Open log</source><translation>打开日志</translation></message>
    <message><source>Copy report</source><translation>复制报告</translation></message>
    <message><source>Last lines of the log</source><translation>日志的最后几行</translation></message>
    <message><source>Copied</source><translation>已复制</translation></message>
    <message><source>Rank %1 failed first</source><translation>rank %1 最先失败</translation></message>
    <message><source>The run failed</source><translation>运行失败</translation></message>
    <message><source>on %1</source><translation>位于 %1</translation></message>
    <message><source>at %1</source><translation>时间 %1</translation></message>
    <message><source>step %1</source><translation>第 %1 步</translation></message>
    <message><source>phase %1</source><translation>阶段 %1</translation></message>
    <message><source>last collective %1</source><translation>最后的集合操作 %1</translation></message>
    <message><source>Resume from %1</source><translation>从 %1 恢复</translation></message>
    <message><source>Edit and run again…</source><translation>编辑并重新运行…</translation></message>
</context>
<context>
    <name>trainyard::desktop::FetchDialog</name>
    <message><source>Looking for the newest checkpoint…</source><translation>正在查找最新的 checkpoint…</translation></message>
    <message><source>Cancel</source><translation>取消</translation></message>
    <message><source>Copying the checkpoint</source><translation>正在复制 checkpoint</translation></message>
    <message><source>Close</source><translation>关闭</translation></message>
    <message><source>%1 of %2 copied to this machine.</source><translation>已复制 %1 到本机，共 %2。</translation></message>
    <message><source>Cancelling…</source><translation>正在取消…</translation></message>
    <message><source>Looking for %1…</source><translation>正在查找 %1…</translation></message>
</context>
<context>
    <name>trainyard::desktop::Finder</name>
    <message><source>Found</source><translation>已找到</translation></message>
</context>
<context>
    <name>trainyard::desktop::FirstRunPage</name>
    <message><source>Runs</source><translation>运行</translation></message>
    <message><source>Start the sample run</source><translation>启动示例运行</translation></message>
    <message><source>Choose engine…</source><translation>选择引擎…</translation></message>
    <message><source>Nothing has run yet</source><translation>还没有任何运行</translation></message>
    <message><source>What would you like to train?</source><translation>想训练什么？</translation></message>
    <message><source>One click gets you a loss curve. You can close this window at any time; runs continue.</source><translation>单击一次即可得到损失曲线。可以随时关闭此窗口，运行会继续。</translation></message>
    <message><source>Try it now</source><translation>立即试用</translation></message>
    <message><source>Trains a small language model on Perl&apos;s manual, which is already on this machine.</source><translation>用本机已有的 Perl 手册训练一个小型语言模型。</translation></message>
    <message><source>this machine · about a minute · works offline</source><translation>本机 · 约一分钟 · 可离线使用</translation></message>
    <message><source>New run</source><translation>新建运行</translation></message>
    <message><source>Start your own</source><translation>自行创建</translation></message>
    <message><source>A few short pages, already filled in. Choose your text and change what you like.</source><translation>几个简短的页面，已预先填好。选择文本，并按需更改。</translation></message>
    <message><source>on this machine, 1 to N ranks</source><translation>在本机上，1 到 N 个 rank</translation></message>
    <message><source>Model</source><translation>模型</translation></message>
    <message><source>GPT-2, 1 M to 10.8 M</source><translation>GPT-2，1 M 到 10.8 M</translation></message>
    <message><source>Data</source><translation>数据</translation></message>
    <message><source>your folder</source><translation>自选文件夹</translation></message>
    <message><source>Hardware</source><translation>硬件</translation></message>
    <message><source>this machine</source><translation>本机</translation></message>
    <message><source>Precision</source><translation>精度</translation></message>
    <message><source>fp32 or bf16</source><translation>fp32 或 bf16</translation></message>
    <message><source>Open…</source><translation>打开…</translation></message>
    <message><source>A run folder or a folder of logs…</source><translation>运行文件夹或日志文件夹…</translation></message>
    <message><source>A file…</source><translation>文件…</translation></message>
    <message><source>Logs of another machine…</source><translation>其他机器上的日志…</translation></message>
    <message><source>Watch or open</source><translation>监视或打开</translation></message>
    <message><source>A run folder to watch, a TensorBoard folder, or a recipe in YAML to start from.</source><translation>可监视的运行文件夹、TensorBoard 文件夹，或作为起点的 YAML 配方。</translation></message>
    <message><source>nothing is copied or changed</source><translation>不复制也不更改任何内容</translation></message>
    <message><source>drop a file or folder anywhere</source><translation>可将文件或文件夹拖放到任意位置</translation></message>
    <message><source>This machine</source><translation>本机</translation></message>
    <message><source>Starting…</source><translation>正在启动…</translation></message>
    <message><source>engine not ready</source><translation>引擎未就绪</translation></message>
    <message><source>engine %1 ready</source><translation>引擎 %1 已就绪</translation></message>
    <message><source>looking for the engine</source><translation>正在查找引擎</translation></message>
    <message><source>The sample run was not started</source><translation>示例运行未启动</translation></message>
    <message><source>First run</source><translation>首次运行</translation></message>
    <message><source>Getting started</source><translation>入门</translation></message>
    <message><source>Start here: features beside a plain loop</source><translation>从这里开始：各功能与简单循环的对比</translation></message>
    <message><source>Recently opened</source><translation>最近打开</translation></message>
</context>
<context>
    <name>trainyard::desktop::FitPanel</name>
    <message><source>Apply</source><translation>应用</translation></message>
    <message><source>Does it fit?</source><translation>能否容纳？</translation></message>
    <message><source>Largest batch</source><translation>最大 batch</translation></message>
    <message><source>Use the largest batch that fits</source><translation>使用可容纳的最大 batch</translation></message>
    <message><source>not judged</source><translation>未评判</translation></message>
    <message><source>The memory is estimated when the recipe has no errors.</source><translation>配方没有错误时才会估算内存。</translation></message>
    <message><source>Trainyard does not know the model of your own program, so it cannot estimate its memory.</source><translation>Trainyard 不了解自有程序中的模型，因此无法估算其内存。</translation></message>
    <message><source>This starts on SageMaker: the memory of its machines is not known here.</source><translation>此运行在 SageMaker 上启动：此处无法得知其机器的内存。</translation></message>
    <message><source>on %1 devices</source><translation>在 %1 个设备上</translation></message>
    <message><source>on one device</source><translation>在一个设备上</translation></message>
    <message><source>of %1 on this machine</source><translation>本机共 %1</translation></message>
    <message><source>on this machine</source><translation>在本机上</translation></message>
    <message><source>%1 ranks, %2 each.</source><translation>%1 个 rank，每个 %2。</translation></message>
    <message><source>The memory of %1 is not known here.</source><translation>此处无法得知 %1 的内存。</translation></message>
    <message><source>the devices</source><translation>这些设备</translation></message>
    <message><source>Other machines are not checked.</source><translation>不检查其他机器。</translation></message>
    <message><source>From the last recipe without errors.</source><translation>来自最近一份没有错误的配方。</translation></message>
    <message><source>does not fit, %1 short</source><translation>无法容纳，缺少 %1</translation></message>
    <message><source>tight, %1 spare</source><translation>紧张，剩余 %1</translation></message>
    <message><source>fits, %1 spare</source><translation>可容纳，剩余 %1</translation></message>
    <message><source>%1, now %2</source><translation>%1，当前 %2</translation></message>
    <message><source>Not even one sequence at a time fits: choose a smaller model or fewer ranks.</source><translation>即使一次一个序列也无法容纳：请选择更小的模型或更少的 rank。</translation></message>
    <message><source>The layers of this model are only known once it is loaded, so its memory is not estimated.</source><translation>该模型的组成要到加载时才知道，因此不估算其内存需求。</translation></message>
    <message><source>No memory is estimated: %1.</source><translation>不估算内存：%1。</translation></message>
</context>
<context>
    <name>trainyard::desktop::FlameGraph</name>
    <message><source>Flame graph of the calls</source><translation>调用火焰图</translation></message>
    <message><source>%1, %2 calls, %3 in all, %4 of its own, %5 %</source><translation>%1，%2 次调用，共 %3，自身 %4，%5 %</translation></message>
</context>
<context>
    <name>trainyard::desktop::GpuTile</name>
    <message><source>GPU %1, %2</source><translation>GPU %1，%2</translation></message>
    <message><source>%1 % busy</source><translation>占用率 %1 %</translation></message>
    <message><source>%1 of %2 used</source><translation>已用 %1，共 %2</translation></message>
    <message><source>%1, process %2 of %3, %4</source><translation>%1，%3 的进程 %2，%4</translation></message>
    <message><source>GPU %1</source><translation>GPU %1</translation></message>
    <message><source>busy</source><translation>占用率</translation></message>
    <message><source>mem</source><translation>内存</translation></message>
    <message><source>and %1 more</source><translation>另有 %1 个</translation></message>
</context>
<context>
    <name>trainyard::desktop::GroupTitle</name>
    <message><source>%1, folded</source><translation>%1，已折叠</translation></message>
    <message><source>Unfold</source><translation>展开</translation></message>
    <message><source>Fold</source><translation>折叠</translation></message>
</context>
<context>
    <name>trainyard::desktop::HardwarePage</name>
    <message><source>Hosts</source><translation>主机</translation></message>
    <message><source>Open Hosts</source><translation>打开“主机”</translation></message>
    <message><source>This machine</source><translation>本机</translation></message>
    <message><source>Ranks on %1</source><translation>%1 上的 rank 数</translation></message>
    <message><source>not asked yet</source><translation>尚未查询</translation></message>
    <message><source>Hosts of ~/.ssh/config and those you add appear here.</source><translation>~/.ssh/config 中的主机和自行添加的主机会显示在此处。</translation></message>
    <message><source>Select other hosts to run there, or on several; each has its own number of ranks.</source><translation>勾选其他主机即可在其上运行，也可同时勾选多台；每台都有各自的 rank 数。</translation></message>
    <message><source>%1 ranks on %2 hosts. Addresses, ports and machine ranks are determined automatically; the questions about machines below have no effect.</source><translation>%1 个 rank，分布在 %2 台主机上。地址、端口和机器的 rank 会自动确定；下面关于机器的询问不起作用。</translation></message>
    <message numerus="yes"><source>%n ranks</source><translation><numerusform>%n 个 rank</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::HealthPanel</name>
    <message><source>parameters differ from the other ranks</source><translation>参数与其他 rank 不同</translation></message>
    <message><source>the same parameters</source><translation>参数相同</translation></message>
    <message><source>rank %1 on %2 was %3 × slower, steps %4–%5</source><translation>rank %1（%2）在第 %4–%5 步慢了 %3 倍</translation></message>
    <message><source>Phases</source><translation>阶段</translation></message>
    <message><source>Ranks</source><translation>rank</translation></message>
    <message><source>Ranks by step</source><translation>各步的 rank</translation></message>
    <message><source>Phases of a step</source><translation>一步的各阶段</translation></message>
    <message><source>Phases of a step, or ranks</source><translation>一步的各阶段，或各 rank</translation></message>
    <message><source>Own time</source><translation>自身时间</translation></message>
    <message><source>Step time</source><translation>每步时间</translation></message>
    <message><source>Waited</source><translation>等待时间</translation></message>
    <message><source>Memory</source><translation>内存</translation></message>
    <message><source>Loss</source><translation>损失</translation></message>
    <message><source>Grad norm</source><translation>梯度范数</translation></message>
    <message><source>Weights</source><translation>权重</translation></message>
    <message><source>Cell value</source><translation>单元格的值</translation></message>
    <message><source>data</source><translation>数据</translation></message>
    <message><source>forward</source><translation>前向</translation></message>
    <message><source>backward</source><translation>反向</translation></message>
    <message><source>communicate</source><translation>通信</translation></message>
    <message><source>optimizer</source><translation>优化器</translation></message>
    <message><source>other</source><translation>其他</translation></message>
    <message><source>save</source><translation>保存</translation></message>
    <message><source>evaluate</source><translation>评估</translation></message>
    <message><source>rank %1</source><translation>rank %1</translation></message>
    <message><source>time of a step on rank 0</source><translation>rank 0 上每步的时间</translation></message>
    <message><source>highlighted where the parameters differ from the other ranks</source><translation>突出显示参数与其他 rank 不同之处</translation></message>
    <message><source>relative to the median of the step</source><translation>相对于该步的中位数</translation></message>
    <message><source>relative to the highest value shown</source><translation>相对于所显示的最高值</translation></message>
</context>
<context>
    <name>trainyard::desktop::HelpPage</name>
    <message><source>Manual</source><translation>手册</translation></message>
    <message><source>Search the manual</source><translation>搜索手册</translation></message>
    <message><source>Search all pages</source><translation>搜索所有页面</translation></message>
    <message><source>Contents</source><translation>目录</translation></message>
    <message><source>Found in the manual</source><translation>手册中的搜索结果</translation></message>
    <message><source>Page of the manual</source><translation>手册页面</translation></message>
    <message><source>Back (Alt+Left)</source><translation>后退 (Alt+左)</translation></message>
    <message><source>Forward (Alt+Right)</source><translation>前进 (Alt+右)</translation></message>
    <message><source>Start here</source><translation>从这里开始</translation></message>
    <message><source>The manual is not installed</source><translation>手册未安装</translation></message>
    <message><source>There is no folder %1. It comes with the package of the programs; in the source code it is the folder resources/manual, and TRAINYARD_MANUAL can name it.</source><translation>文件夹 %1 不存在。它随程序的软件包一起安装；在源代码中是文件夹 resources/manual，也可以用 TRAINYARD_MANUAL 指定。</translation></message>
    <message><source>Open in the browser</source><translation>在浏览器中打开</translation></message>
    <message><source>Open this address?</source><translation>打开此地址？</translation></message>
    <message><source>Open</source><translation>打开</translation></message>
    <message><source>Copy address</source><translation>复制地址</translation></message>
    <message><source>No page has these words</source><translation>没有页面包含这些词</translation></message>
    <message><source>Back and forward in the manual</source><translation>在手册中后退和前进</translation></message>
    <message><source>Manual: %1</source><translation>手册：%1</translation></message>
</context>
<context>
    <name>trainyard::desktop::HistogramBars</name>
    <message><source>Histogram from %1 to %2</source><translation>从 %1 到 %2 的直方图</translation></message>
    <message><source>No histogram yet</source><translation>尚无直方图</translation></message>
    <message><source>No finite element</source><translation>没有有限值元素</translation></message>
    <message><source>Not read yet</source><translation>尚未读取</translation></message>
</context>
<context>
    <name>trainyard::desktop::HostCard</name>
    <message><source>asking…</source><translation>正在查询…</translation></message>
    <message><source>last asked %1</source><translation>上次查询：%1</translation></message>
</context>
<context>
    <name>trainyard::desktop::HostDetails</name>
    <message><source>Terminal</source><translation>终端</translation></message>
    <message><source>Probe</source><translation>探测</translation></message>
    <message><source>Opens your terminal with ssh (T)</source><translation>用 ssh 打开终端 (T)</translation></message>
    <message><source>Asks the host what it has, without changing anything (P)</source><translation>查询主机的配置，不做任何更改 (P)</translation></message>
    <message><source>More for this host</source><translation>此主机的更多操作</translation></message>
    <message><source>System</source><translation>系统</translation></message>
    <message><source>Versions</source><translation>版本</translation></message>
    <message><source>Links</source><translation>链路</translation></message>
    <message><source>Last hour</source><translation>最近一小时</translation></message>
    <message><source>GPU</source><translation>GPU</translation></message>
    <message><source>memory</source><translation>内存</translation></message>
    <message><source>CPU</source><translation>CPU</translation></message>
    <message><source>host key %1</source><translation>host key %1</translation></message>
    <message><source>asked just now</source><translation>刚刚查询</translation></message>
    <message><source>asked %1</source><translation>查询于 %1</translation></message>
    <message><source>connected</source><translation>已连接</translation></message>
    <message><source>%1 and %2 more</source><translation>%1，另有 %2 个</translation></message>
    <message><source>Cancel</source><translation>取消</translation></message>
    <message><source>Cancel asking %1</source><translation>取消查询 %1</translation></message>
    <message><source>Probe %1</source><translation>探测 %1</translation></message>
    <message><source>Connecting. Details of the host appear here in a moment.</source><translation>正在连接。主机的详细信息稍后会显示在此处。</translation></message>
    <message><source>This host has not been asked yet. Probe reads what it has: GPUs, memory, disk, versions, clock. Nothing is changed there.</source><translation>尚未查询此主机。探测会读取其配置：GPU、内存、磁盘、版本、时钟。不会更改那里的任何内容。</translation></message>
</context>
<context>
    <name>trainyard::desktop::HostDialog</name>
    <message><source>Use this host for runs</source><translation>将此主机用于运行</translation></message>
    <message><source>Copy lines for ~/.ssh/config</source><translation>复制用于 ~/.ssh/config 的配置行</translation></message>
    <message><source>Add host</source><translation>添加主机</translation></message>
    <message><source>Save</source><translation>保存</translation></message>
    <message><source>Settings of %1</source><translation>%1 的设置</translation></message>
    <message><source>Name</source><translation>名称</translation></message>
    <message><source>what you call it, e.g. gpu-b</source><translation>自定的称呼，例如 gpu-b</translation></message>
    <message><source>Address</source><translation>地址</translation></message>
    <message><source>name or IP address; empty: the name itself</source><translation>名称或 IP 地址；留空：使用上面的名称</translation></message>
    <message><source>User</source><translation>用户</translation></message>
    <message><source>empty: your own</source><translation>留空：当前用户</translation></message>
    <message><source>Port</source><translation>端口</translation></message>
    <message><source>empty: 22</source><translation>留空：22</translation></message>
    <message><source>Key file</source><translation>密钥文件</translation></message>
    <message><source>empty: agent and the usual keys</source><translation>留空：代理和常用密钥</translation></message>
    <message><source>Jump host</source><translation>跳板机</translation></message>
    <message><source>reached through it, e.g. me@bastion</source><translation>经由它连接，例如 me@bastion</translation></message>
    <message><source>Label</source><translation>标签</translation></message>
    <message><source>shown in place of the name</source><translation>代替名称显示</translation></message>
    <message><source>Folder for runs</source><translation>运行的文件夹</translation></message>
    <message><source>empty: its own default</source><translation>留空：主机自身的默认值</translation></message>
    <message><source>Engine</source><translation>引擎</translation></message>
    <message><source>path of trainyard there; empty: copied when needed</source><translation>trainyard 在该主机上的路径；留空：需要时复制</translation></message>
    <message><source>Python for scripts</source><translation>脚本所用的 Python</translation></message>
    <message><source>empty: python3</source><translation>留空：python3</translation></message>
    <message><source>Maximum number of GPUs</source><translation>最多使用的 GPU 数</translation></message>
    <message><source>empty: all</source><translation>留空：全部</translation></message>
    <message><source>Environment</source><translation>环境变量</translation></message>
    <message><source>NAME=value, a line each; no secrets: ranks and logs show it</source><translation>NAME=value，每行一个；不要填写机密信息：rank 和日志会显示它们</translation></message>
    <message><source>There is a host %1 already: choose another name.</source><translation>主机 %1 已存在：请选择其他名称。</translation></message>
    <message><source>Its connection settings are in %1, which Trainyard only reads.</source><translation>连接方式在 %1 中设置，Trainyard 只读取该文件。</translation></message>
    <message><source>Saved in Trainyard&apos;s own list; ~/.ssh/config is not changed.</source><translation>保存在 Trainyard 自己的列表中；不会改动 ~/.ssh/config。</translation></message>
</context>
<context>
    <name>trainyard::desktop::HostKeyDialog</name>
    <message><source>Trust and remember</source><translation>信任并记住</translation></message>
    <message><source>This time only</source><translation>仅此一次</translation></message>
    <message><source>Cancel</source><translation>取消</translation></message>
    <message><source>%1 shows a key of another type</source><translation>%1 出示了另一种类型的密钥</translation></message>
    <message><source>First contact with %1</source><translation>首次连接 %1</translation></message>
    <message><source>Is this %1?</source><translation>这是 %1 吗？</translation></message>
    <message><source>Compare the key with the one that the host&apos;s administrator gives you, or with the output of this command on the host itself. If they are equal, the connection is not intercepted.</source><translation>请将此密钥与该主机管理员提供的密钥，或与在该主机上运行此命令的输出进行比较：如果一致，则中间没有他人拦截。</translation></message>
    <message><source>You know %1%2 by its %3 key (line %4 of %5). The server was asked for that one and shows another. Either it was removed there, or this is not the same host.</source><translation>%1%2 此前记录的是其 %3 密钥（%5 第 %4 行）。已向服务器请求该密钥，但它出示了另一个。要么该密钥已在那里被移除，要么这不是同一台主机。</translation></message>
    <message><source> (%1)</source><translation> (%1)</translation></message>
    <message><source>You have not been connected to %1 before%2.</source><translation>此前没有连接过 %1%2。</translation></message>
    <message><source>The key as a picture</source><translation>以图形显示的密钥</translation></message>
    <message><source>Type</source><translation>类型</translation></message>
    <message><source>Fingerprint</source><translation>指纹</translation></message>
    <message><source>Remembered in</source><translation>记录在</translation></message>
    <message><source>Copy fingerprint</source><translation>复制指纹</translation></message>
</context>
<context>
    <name>trainyard::desktop::HostList</name>
    <message><source>This machine</source><translation>本机</translation></message>
    <message><source>this machine, without SSH</source><translation>本机，不使用 SSH</translation></message>
    <message><source>%1 has presented another key since this one was shown: no key was trusted. Check it again.</source><translation>显示此密钥之后，%1 给出了不同的响应：未予信任。请重新查看。</translation></message>
</context>
<context>
    <name>trainyard::desktop::HostProblemPanel</name>
    <message><source>Copy for the admin</source><translation>复制给管理员</translation></message>
    <message><source>Show known_hosts</source><translation>显示 known_hosts</translation></message>
    <message><source>Show transcript</source><translation>显示连接记录</translation></message>
    <message><source>Copy the command</source><translation>复制命令</translation></message>
    <message><source>Settings…</source><translation>设置…</translation></message>
    <message><source>accepted, line %1 of %2</source><translation>已接受，%2 第 %1 行</translation></message>
    <message><source>of another type, line %1</source><translation>另一种类型，第 %1 行</translation></message>
    <message><source>shown now</source><translation>当前出示</translation></message>
    <message><source>%1 shows a different host key</source><translation>%1 出示了不同的 host key</translation></message>
    <message><source>Trainyard has not connected. Either %1 was reinstalled, or another machine intercepts the connection.</source><translation>Trainyard 没有连接。可能 %1 已重新安装，也可能有第三方在中间冒充它作出响应。</translation></message>
    <message><source>The host key of %1 is revoked</source><translation>%1 的 host key 已被吊销</translation></message>
    <message><source>Ask the administrator of %1 for its fingerprint. To continue, remove the old key from line %2 of %3, then connect again.</source><translation>请向 %1 的管理员核对其指纹。要继续，请从 %3 的第 %2 行移除旧密钥，然后重新连接。</translation></message>
    <message><source>Look at the key…</source><translation>查看密钥…</translation></message>
    <message><source>Keep blocked</source><translation>保持阻止</translation></message>
    <message><source>Try again</source><translation>重试</translation></message>
</context>
<context>
    <name>trainyard::desktop::HostsPage</name>
    <message><source>Hosts</source><translation>主机</translation></message>
    <message><source>SSH keys and agent</source><translation>SSH 密钥与代理</translation></message>
    <message><source>Connections between hosts</source><translation>主机之间的连接</translation></message>
    <message><source>Probe all</source><translation>全部探测</translation></message>
    <message><source>Add host</source><translation>添加主机</translation></message>
    <message><source>No hosts yet. Hosts in ~/.ssh/config appear here.</source><translation>尚无主机。~/.ssh/config 中的主机会显示在此处。</translation></message>
    <message><source>That did not work</source><translation>操作未成功</translation></message>
    <message><source>Tries a connection from every host to every other one</source><translation>尝试从每台主机连接到其他每台主机</translation></message>
    <message><source>Find a host</source><translation>查找主机</translation></message>
    <message><source>List of hosts</source><translation>主机列表</translation></message>
    <message><source>Probe all hosts</source><translation>探测所有主机</translation></message>
    <message><source>Add a host</source><translation>添加主机</translation></message>
    <message><source>Settings of the host…</source><translation>主机设置…</translation></message>
    <message><source>Show transcript</source><translation>显示连接记录</translation></message>
    <message><source>Move up</source><translation>上移</translation></message>
    <message><source>Move down</source><translation>下移</translation></message>
    <message><source>Forget the host</source><translation>移除此主机</translation></message>
    <message><source>Forget its settings</source><translation>移除其设置</translation></message>
    <message><source>Not all hosts could be read</source><translation>部分主机无法读取</translation></message>
    <message><source> and %1 more</source><translation> 及另外 %1 个</translation></message>
    <message><source>Hide those without GPU or not used</source><translation>隐藏无 GPU 或未使用的主机</translation></message>
    <message><source>%1: no GPU or not used, hidden. Show</source><translation>%1：无 GPU 或未使用，已隐藏。显示</translation></message>
    <message><source>reading ~/.ssh/config</source><translation>正在读取 ~/.ssh/config</translation></message>
    <message><source>this machine</source><translation>本机</translation></message>
    <message><source>%1 from ~/.ssh/config, and this machine</source><translation>来自 ~/.ssh/config 的 %1 台，以及本机</translation></message>
    <message><source>%1 added, and this machine</source><translation>已添加 %1 台，以及本机</translation></message>
    <message><source>%1 from ~/.ssh/config, %2 added, and this machine</source><translation>来自 ~/.ssh/config 的 %1 台，已添加 %2 台，以及本机</translation></message>
    <message><source>asking 1 host</source><translation>正在查询 1 台主机</translation></message>
    <message><source>asking %1 hosts</source><translation>正在查询 %1 台主机</translation></message>
    <message><source>probed %1</source><translation>探测于 %1</translation></message>
    <message><source>%1 was forgotten</source><translation>已移除 %1</translation></message>
    <message><source>Undo</source><translation>撤消</translation></message>
    <message><source>No terminal was opened</source><translation>未能打开终端</translation></message>
    <message><source>Transcript of %1</source><translation>%1 的连接记录</translation></message>
</context>
<context>
    <name>trainyard::desktop::HostsPanel</name>
    <message><source>Hosts</source><translation>主机</translation></message>
    <message><source>GPU</source><translation>GPU</translation></message>
    <message><source>GMEM</source><translation>显存</translation></message>
    <message><source>MEM</source><translation>内存</translation></message>
    <message><source>CPU</source><translation>CPU</translation></message>
    <message><source>disk reads %1, writes %2</source><translation>磁盘读取 %1，写入 %2</translation></message>
    <message><source>network in %1, out %2</source><translation>网络接收 %1，发送 %2</translation></message>
    <message><source>%1 free</source><translation>可用 %1</translation></message>
    <message numerus="yes"><source>and %n more</source><translation><numerusform>另有 %n 个</numerusform></translation></message>
    <message><source>silent for %1</source><translation>已 %1 无响应</translation></message>
</context>
<context>
    <name>trainyard::desktop::HourChart</name>
    <message><source>GPU</source><translation>GPU</translation></message>
    <message><source>memory</source><translation>内存</translation></message>
    <message><source>CPU</source><translation>CPU</translation></message>
    <message><source>Load of the last hour</source><translation>最近一小时的负载</translation></message>
    <message><source>now</source><translation>现在</translation></message>
    <message><source>−%1 min</source><translation>−%1 分钟</translation></message>
    <message><source>no data</source><translation>没有数据</translation></message>
</context>
<context>
    <name>trainyard::desktop::HubDownload</name>
    <message><source>Download</source><translation>下载</translation></message>
    <message><source>Download: %1</source><translation>下载：%1</translation></message>
    <message><source>Cancel</source><translation>取消</translation></message>
    <message><source>Cancel the download: %1</source><translation>取消下载：%1</translation></message>
    <message><source>Asking the hub for %1…</source><translation>正在向 hub 查询 %1…</translation></message>
    <message><source>The download was cancelled. The next one continues it.</source><translation>下载已取消。下一次会继续。</translation></message>
</context>
<context>
    <name>trainyard::desktop::HubFetch</name>
    <message><source>Downloading %1: %2 of %3</source><translation>正在下载 %1：%2 / %3</translation></message>
</context>
<context>
    <name>trainyard::desktop::HubField</name>
    <message><source>Name of a model on the hub</source><translation>hub 上模型的名称</translation></message>
    <message><source>Look up</source><translation>查找</translation></message>
    <message><source>Cancel</source><translation>取消</translation></message>
    <message><source>Name on the hub, such as openai-community/gpt2</source><translation>hub 上的名称，例如 openai-community/gpt2</translation></message>
    <message><source>Only config.json or the headers of the weights are downloaded.</source><translation>只获取 config.json 或权重的文件头。</translation></message>
    <message><source>%1 is not a valid model name: a name on a hub has one or two parts, such as org/name</source><translation>%1 不是 hub 上模型的名称：名称有一个或两个部分，例如 org/name</translation></message>
    <message><source>Cancelled</source><translation>已取消</translation></message>
    <message><source>Close</source><translation>关闭</translation></message>
    <message><source>Looking up %1…</source><translation>正在查找 %1 …</translation></message>
    <message><source>Asking %1 for %2…</source><translation>正在向 %1 请求 %2 …</translation></message>
    <message><source>Download</source><translation>下载</translation></message>
</context>
<context>
    <name>trainyard::desktop::Inspector</name>
    <message><source>Log</source><translation>对数</translation></message>
    <message><source>Linear</source><translation>线性</translation></message>
    <message><source>Picture</source><translation>图像</translation></message>
    <message><source>Numbers</source><translation>数值</translation></message>
    <message><source>Head</source><translation>头</translation></message>
    <message><source>Row</source><translation>行</translation></message>
    <message><source>First row</source><translation>首行</translation></message>
    <message><source>Attention head</source><translation>注意力头</translation></message>
    <message><source>Elements</source><translation>元素</translation></message>
    <message><source>Change by layer</source><translation>逐层变化</translation></message>
    <message><source>State</source><translation>状态</translation></message>
    <message><source>Choose a tensor to see its values.</source><translation>选择一个张量以查看其值。</translation></message>
    <message><source>min</source><translation>最小值</translation></message>
    <message><source>max</source><translation>最大值</translation></message>
    <message><source>mean</source><translation>均值</translation></message>
    <message><source>std</source><translation>标准差</translation></message>
    <message><source>L2 norm</source><translation>L2 范数</translation></message>
    <message><source>zeros</source><translation>零值</translation></message>
    <message><source>NaN, Inf</source><translation>NaN, Inf</translation></message>
    <message><source>change, relative</source><translation>相对变化</translation></message>
    <message><source>The row is the id of the token.</source><translation>行号即 token 的编号。</translation></message>
    <message><source>head %1: norm %2, std %3</source><translation>头 %1：范数 %2，标准差 %3</translation></message>
    <message><source>token %1: norm %2</source><translation>token %1：范数 %2</translation></message>
    <message><source>step</source><translation>步</translation></message>
    <message><source>tokens</source><translation>token</translation></message>
    <message><source>samples</source><translation>样本</translation></message>
    <message><source>epoch</source><translation>epoch</translation></message>
    <message><source>world size</source><translation>world size</translation></message>
    <message><source>mesh</source><translation>设备网格</translation></message>
    <message><source>metric</source><translation>指标</translation></message>
    <message><source>learning rate</source><translation>学习率</translation></message>
    <message><source>weight decay</source><translation>权重衰减</translation></message>
    <message><source>rank of the adapter</source><translation>适配器的秩</translation></message>
    <message><source>alpha of the adapter</source><translation>适配器的 alpha</translation></message>
    <message><source>model</source><translation>模型</translation></message>
    <message><source>optimizer groups</source><translation>优化器参数组</translation></message>
    <message><source>random state</source><translation>随机状态</translation></message>
    <message><source>saved</source><translation>保存时间</translation></message>
    <message><source>type before</source><translation>之前的类型</translation></message>
    <message><source>%1: magnitudes from %2 to %3, mean %4</source><translation>%1：幅值从 %2 到 %3，均值 %4</translation></message>
</context>
<context>
    <name>trainyard::desktop::KeysDialog</name>
    <message><source>SSH keys and agent</source><translation>SSH 密钥与代理</translation></message>
    <message><source>Keys</source><translation>密钥</translation></message>
    <message><source>Key</source><translation>密钥</translation></message>
    <message><source>Fingerprint</source><translation>指纹</translation></message>
    <message><source>From</source><translation>来源</translation></message>
    <message><source>Opened</source><translation>已登录主机</translation></message>
    <message><source>Close</source><translation>关闭</translation></message>
    <message><source>Asking the agent…</source><translation>正在查询代理…</translation></message>
    <message><source>The agent answers at %1.</source><translation>代理在 %1 响应。</translation></message>
    <message><source>No agent: %1. Key files work without one; an agent asks for each passphrase once.</source><translation>没有代理：%1。密钥文件无需代理也可使用；使用代理时每个密码短语只需输入一次。</translation></message>
    <message><source>Passwords cannot be kept: %1.</source><translation>无法保存密码：%1。</translation></message>
    <message><source>agent: %1</source><translation>代理：%1</translation></message>
    <message><source>Refresh</source><translation>刷新</translation></message>
    <message><source>Passwords and passphrases are saved in the system&apos;s key ring only if you select it.</source><translation>密码和密码短语保存在系统密钥环中，且仅限已勾选之处。</translation></message>
</context>
<context>
    <name>trainyard::desktop::LaunchPage</name>
    <message><source>Launch</source><translation>启动</translation></message>
    <message><source>Start now</source><translation>立即启动</translation></message>
    <message><source>Queue</source><translation>排队</translation></message>
    <message><source>As soon as all pass</source><translation>全部通过后立即启动</translation></message>
    <message><source>Run again</source><translation>重新运行</translation></message>
    <message><source>Cancel</source><translation>取消</translation></message>
    <message><source>Start anyway</source><translation>仍然启动</translation></message>
    <message><source>Run folder in %1</source><translation>运行文件夹在 %1 中</translation></message>
    <message><source>Run folder on %1, with a copy here</source><translation>运行文件夹在 %1 上，此处有副本</translation></message>
    <message><source>copying, %1 of %2</source><translation>正在复制，%1 / %2</translation></message>
    <message><source>The run was not started</source><translation>运行未启动</translation></message>
    <message><source>The engine is missing</source><translation>缺少引擎</translation></message>
    <message><source>%1 is running on this machine</source><translation>%1 正在本机上运行</translation></message>
    <message><source>Queue this run to start when that one ends, or start it now in parallel.</source><translation>可将此运行排队，待该运行结束后启动；也可现在与其同时启动。</translation></message>
    <message><source>Nothing was started, and nothing is left on any host.</source><translation>没有启动任何内容，任何主机上也没有留下内容。</translation></message>
    <message><source>Nothing was started.</source><translation>没有启动任何内容。</translation></message>
    <message><source>Cancelling…</source><translation>正在取消…</translation></message>
    <message><source>Failed: %1</source><translation>失败：%1</translation></message>
    <message><source>Queue although checks failed: %1</source><translation>检查失败仍然排队：%1</translation></message>
    <message><source>Start although checks failed: %1</source><translation>检查失败仍然启动：%1</translation></message>
    <message><source>Starting…</source><translation>正在启动…</translation></message>
    <message><source>Queue it</source><translation>排队</translation></message>
    <message><source>Queue anyway</source><translation>仍然排队</translation></message>
    <message><source>Start</source><translation>启动</translation></message>
    <message><source>%1 of %2 checks done</source><translation>已完成 %1 / %2 项检查</translation></message>
    <message><source>%1 failed</source><translation>%1 项失败</translation></message>
    <message><source>1 warning</source><translation>1 个警告</translation></message>
    <message><source>%1 warnings</source><translation>%1 个警告</translation></message>
    <message><source>%1 s</source><translation>%1 s</translation></message>
    <message><source>%1 of %2 checks done, %3 failed</source><translation>已完成 %1 / %2 项检查，%3 项失败</translation></message>
    <message><source>Choose the engine…</source><translation>选择引擎…</translation></message>
    <message><source>Choose other data…</source><translation>选择其他数据…</translation></message>
    <message><source>Halve the micro-batch and keep the tokens per step</source><translation>将 micro-batch 减半并保持每步 token 数</translation></message>
    <message><source>Choose the script again…</source><translation>重新选择脚本…</translation></message>
    <message><source>Choose another port…</source><translation>选择其他端口…</translation></message>
    <message><source>Choose another folder for runs…</source><translation>为运行选择其他文件夹…</translation></message>
    <message><source>Open %1 in Hosts</source><translation>在“主机”中打开 %1</translation></message>
    <message><source>Retry until it passes, then start</source><translation>重试直到通过，然后启动</translation></message>
    <message><source>Leave %1 out: 1 rank</source><translation>不使用 %1：1 个 rank</translation></message>
    <message><source>Leave %1 out: %2 ranks</source><translation>不使用 %1：%2 个 rank</translation></message>
    <message><source>Checks</source><translation>检查</translation></message>
    <message><source>Select a check to read about it.</source><translation>选择一项检查以查看其说明。</translation></message>
    <message><source>%1 on %2</source><translation>%1（%2）</translation></message>
    <message><source>Runs the failed checks again (R)</source><translation>重新运行失败的检查 (R)</translation></message>
    <message><source>Cancels and leaves nothing behind on any host (Esc)</source><translation>取消，且不在任何主机上留下内容 (Esc)</translation></message>
    <message><source>Ctrl+Enter</source><translation>Ctrl+Enter</translation></message>
    <message><source>Start now, or wait for its turn</source><translation>立即启动，或等待轮到它</translation></message>
    <message><source>Waits until the runs queued before it have started, and the machine, or the GPUs, are free</source><translation>等待排在前面的运行启动，且机器或 GPU 空闲</translation></message>
    <message><source>Run the failed checks again</source><translation>重新运行失败的检查</translation></message>
    <message><source>Every check is a plain command; its result is saved with the run.</source><translation>每项检查都是一条普通命令；其结果与运行一同保存。</translation></message>
    <message><source>Copy report</source><translation>复制报告</translation></message>
    <message><source>Command</source><translation>命令</translation></message>
    <message><source>Copy the command</source><translation>复制命令</translation></message>
    <message><source>After start</source><translation>启动之后</translation></message>
    <message><source>Its dashboard opens</source><translation>打开其仪表板</translation></message>
    <message><source>Continues when this window is closed</source><translation>关闭此窗口后继续</translation></message>
    <message><source>Notify me when it ends, fails or stalls</source><translation>结束、失败或停滞时通知我</translation></message>
    <message><source>What you can do</source><translation>可采取的措施</translation></message>
    <message><source>The launch was cancelled</source><translation>启动已取消</translation></message>
    <message><source>%1.</source><translation>%1。</translation></message>
    <message><source>The launch itself refuses what failed: goes to the first of it (Ctrl+Enter)</source><translation>启动本身会拒绝未通过的项：转到其中第一项（Ctrl+Enter）</translation></message>
    <message><source>Cannot be started: show why</source><translation>无法启动：查看原因</translation></message>
    <message><source>Choose another number format…</source><translation>选择其他数值格式…</translation></message>
</context>
<context>
    <name>trainyard::desktop::LayerGrid</name>
    <message><source>Change of %1 kinds of tensors in %2 layers</source><translation>%2 层中 %1 类张量的变化</translation></message>
    <message><source>layer %1, %2: %3 %</source><translation>第 %1 层，%2：%3 %</translation></message>
</context>
<context>
    <name>trainyard::desktop::LinksMatrix</name>
    <message><source>%1 to %2: %3</source><translation>%1 到 %2：%3</translation></message>
    <message><source>Links between GPUs</source><translation>GPU 之间的链路</translation></message>
    <message><source>GPU %1 to GPU %2: %3</source><translation>GPU %1 到 GPU %2：%3</translation></message>
</context>
<context>
    <name>trainyard::desktop::LiveRow</name>
    <message><source>queued, %1</source><translation>排队中，%1</translation></message>
    <message><source>Start now</source><translation>立即启动</translation></message>
    <message><source>Remove from the queue</source><translation>从队列中移除</translation></message>
    <message><source>Stop after a checkpoint</source><translation>保存 checkpoint 后停止</translation></message>
    <message><source>Checkpoint now</source><translation>立即保存 checkpoint</translation></message>
    <message><source>Copy path</source><translation>复制路径</translation></message>
</context>
<context>
    <name>trainyard::desktop::LogList</name>
    <message><source>Filter logs: words or /regex/</source><translation>筛选日志：词语或 /正则表达式/</translation></message>
    <message><source>Filter logs</source><translation>筛选日志</translation></message>
    <message><source>All</source><translation>全部</translation></message>
    <message><source>Show or hide all that pass the filter</source><translation>显示或隐藏所有符合筛选条件的日志</translation></message>
    <message><source>Logs</source><translation>日志</translation></message>
    <message><source>%1 of %2</source><translation>%1 / %2</translation></message>
</context>
<context>
    <name>trainyard::desktop::LogListModel</name>
    <message><source>The figure is the last value of %1.</source><translation>该数字为 %1 的最新值。</translation></message>
    <message><source>Tags: %1</source><translation>标签：%1</translation></message>
</context>
<context>
    <name>trainyard::desktop::LogPage</name>
    <message><source>Compare the key…</source><translation>比较密钥…</translation></message>
    <message><source>Try again</source><translation>重试</translation></message>
    <message><source>Open in a new window</source><translation>在新窗口中打开</translation></message>
    <message><source>Open folder</source><translation>打开文件夹</translation></message>
    <message><source>one log</source><translation>一个日志</translation></message>
    <message><source>%1 logs</source><translation>%1 个日志</translation></message>
    <message><source>reading %1 of %2</source><translation>正在读取 %1 / %2</translation></message>
    <message><source>looking for logs</source><translation>正在查找日志</translation></message>
    <message><source>Looking for logs in %1</source><translation>正在 %1 中查找日志</translation></message>
    <message><source>No data from %1 yet.</source><translation>尚无来自 %1 的数据。</translation></message>
    <message><source>No logs in %1 yet.</source><translation>%1 中尚无日志。</translation></message>
    <message><source>TensorBoard files, JSONL and CSV with a column of steps, trainer_state.json of transformers and offline runs of Weights &amp; Biases appear here as soon as they are written.</source><translation>TensorBoard 文件、带有步数列的 JSONL 和 CSV、transformers 的 trainer_state.json 以及离线的 Weights &amp; Biases 运行，一经写入即会显示在此处。</translation></message>
    <message><source>No log is selected.</source><translation>未勾选任何日志。</translation></message>
    <message><source>Select one at the left to see its curves.</source><translation>在左侧勾选一个日志即可查看其曲线。</translation></message>
    <message><source>The selected logs have no curves yet.</source><translation>所选日志尚无曲线。</translation></message>
    <message><source>Part of the logs cannot be read</source><translation>部分日志无法读取</translation></message>
    <message><source>%1 parts of the logs cannot be read</source><translation>日志中有 %1 处无法读取</translation></message>
    <message><source>%1 needs an answer from you</source><translation>%1 需要回应</translation></message>
    <message><source>%1 does not answer</source><translation>%1 没有响应</translation></message>
    <message><source>%1 is shown only in part</source><translation>%1 仅部分显示</translation></message>
    <message><source>Logs</source><translation>日志</translation></message>
    <message><source>The selected logs have no curves that can be read.</source><translation>所选日志中没有可读取的曲线。</translation></message>
</context>
<context>
    <name>trainyard::desktop::LogPanel</name>
    <message><source>Log</source><translation>日志</translation></message>
    <message><source>All ranks</source><translation>所有 rank</translation></message>
    <message><source>Rank</source><translation>rank</translation></message>
    <message><source>Warnings</source><translation>警告</translation></message>
    <message><source>Errors</source><translation>错误</translation></message>
    <message><source>Follow</source><translation>跟随</translation></message>
    <message><source>Previous (Shift+F3)</source><translation>上一个 (Shift+F3)</translation></message>
    <message><source>Next (F3)</source><translation>下一个 (F3)</translation></message>
    <message><source>Lines shown</source><translation>显示的行</translation></message>
    <message><source>Ranks whose logs are shown</source><translation>显示哪些 rank 的日志</translation></message>
    <message><source>One rank, or several: 0, 3-5</source><translation>一个或多个 rank：0, 3-5</translation></message>
    <message><source>Find, or /regex/</source><translation>查找，或 /正则表达式/</translation></message>
    <message><source>Find in the log</source><translation>在日志中查找</translation></message>
    <message><source>The whole line</source><translation>整行</translation></message>
    <message><source>Ranks</source><translation>rank</translation></message>
    <message><source>Rank 0</source><translation>rank 0</translation></message>
    <message><source>not found</source><translation>未找到</translation></message>
    <message><source>%1 of %2</source><translation>%1 / %2</translation></message>
    <message><source>The expression takes too long on %1 lines; they count as not found.</source><translation>该表达式在 %1 行上耗时过长；这些行按未找到处理。</translation></message>
    <message><source>Show in the charts</source><translation>在图表中显示</translation></message>
    <message><source>Show the whole line</source><translation>显示整行</translation></message>
    <message><source>Save these lines…</source><translation>保存这些行…</translation></message>
    <message><source>Save the lines that are shown</source><translation>保存所显示的行</translation></message>
    <message><source>saved as %1</source><translation>已保存为 %1</translation></message>
    <message numerus="yes"><source>%Ln lines</source><translation><numerusform>%Ln 行</numerusform></translation></message>
    <message><source>%1 of %2 lines</source><translation>%1 / %2 行</translation></message>
    <message><source>Show matching lines only</source><translation>仅显示匹配的行</translation></message>
    <message><source>invalid expression</source><translation>表达式有误</translation></message>
    <message><source>searching…</source><translation>正在查找…</translation></message>
    <message><source>One rank, or several: 0, 3-5; or coordinates: pp 1</source><translation>一个或多个 rank：0, 3-5；或坐标：pp 1</translation></message>
</context>
<context>
    <name>trainyard::desktop::LogTree</name>
    <message><source>%1 is not there</source><translation>%1 不存在</translation></message>
    <message><source>%1 is one of the files of a log: open its folder</source><translation>%1 是日志的文件之一：请打开其文件夹</translation></message>
    <message><source>%1 holds no metrics that can be read: a step, an epoch or a time beside numbers</source><translation>%1 中没有可读取的指标：数值旁须有步、epoch 或时间</translation></message>
    <message><source>Only the first %L1 folders below %2 are looked at</source><translation>仅查看 %2 下的前 %L1 个文件夹</translation></message>
    <message><source>Folders more than %1 levels below %2 are not looked at</source><translation>不查看 %2 下超过 %1 层的文件夹</translation></message>
    <message><source>cannot read %1: %2</source><translation>无法读取 %1：%2</translation></message>
    <message><source>Only the first %L1 logs below %2 are shown</source><translation>仅显示 %2 下的前 %L1 个日志</translation></message>
</context>
<context>
    <name>trainyard::desktop::LossPanel</name>
    <message><source>Loss</source><translation>损失</translation></message>
    <message><source>Step</source><translation>步</translation></message>
    <message><source>Time</source><translation>时间</translation></message>
    <message><source>Tokens</source><translation>token</translation></message>
    <message><source>Lin</source><translation>线性</translation></message>
    <message><source>Log</source><translation>对数</translation></message>
    <message><source>Overlay another run</source><translation>叠加其他运行</translation></message>
    <message><source>Overlay other runs, or show the difference to them (O)</source><translation>叠加其他运行，或显示与它们的差值 (O)</translation></message>
    <message><source>Horizontal axis</source><translation>横轴</translation></message>
    <message><source>Vertical axis</source><translation>纵轴</translation></message>
    <message><source>Remove %1</source><translation>移除 %1</translation></message>
    <message><source>train</source><translation>训练</translation></message>
    <message><source>val</source><translation>验证</translation></message>
    <message><source>train − %1</source><translation>训练 − %1</translation></message>
    <message><source>Active</source><translation>有效</translation></message>
    <message><source>Time since the start</source><translation>自开始以来的时间</translation></message>
    <message><source>Time since the start without pauses and restarts; again: with them</source><translation>自开始以来的时间，不含暂停和重启；再次单击：包含</translation></message>
    <message><source>Time since the start; again: without pauses and restarts</source><translation>自开始以来的时间；再次单击：不含暂停和重启</translation></message>
    <message><source>There is no other run in this folder</source><translation>此文件夹中没有其他运行</translation></message>
    <message><source>Aligned at resume</source><translation>在恢复处对齐</translation></message>
    <message><source>Shifts the other run so that the step this run was resumed from coincides in both, or else their first points. When off, runs are aligned by step, time or tokens, whichever the axis shows.</source><translation>平移另一个运行，使两者在此运行恢复时的那一步重合，否则使两者的起点重合。关闭时，运行按横轴所显示的步、时间或 token 对齐。</translation></message>
    <message><source>Differences: A − B</source><translation>差值：A − B</translation></message>
    <message><source>This run minus each other run, at the steps both have</source><translation>此运行减去其他每个运行，在两者共有的步上</translation></message>
    <message><source>Overlay</source><translation>叠加</translation></message>
    <message><source>Curve of the main chart</source><translation>主图表的曲线</translation></message>
</context>
<context>
    <name>trainyard::desktop::MainWindow</name>
    <message><source>The run starts ahead of the queue.</source><translation>此运行将先于队列启动。</translation></message>
    <message><source>The run was removed from the queue.</source><translation>已从队列中移除此运行。</translation></message>
    <message><source>The run will stop after a checkpoint.</source><translation>此运行将在保存 checkpoint 后停止。</translation></message>
    <message><source>A checkpoint was requested.</source><translation>已请求保存 checkpoint。</translation></message>
    <message><source>Settings were reset</source><translation>设置已重置</translation></message>
    <message><source>A view was reset</source><translation>视图已重置</translation></message>
    <message><source>%1 was not opened: it is not a run, a log, a trace, a checkpoint, settings or data that Trainyard knows</source><translation>未打开 %1：它不是 Trainyard 可识别的运行、日志、跟踪、检查点、设置或数据</translation></message>
</context>
<context>
    <name>trainyard::desktop::MeasuredTable</name>
    <message><source>%1: %2 estimated, %3 measured</source><translation>%1：估计 %2，实测 %3</translation></message>
    <message><source>activations and temporary: %1 estimated, %2 measured</source><translation>激活和临时：估计 %1，实测 %2</translation></message>
    <message><source>Estimate against measured</source><translation>估计与实测对比</translation></message>
    <message><source>Run</source><translation>运行</translation></message>
    <message><source>Estimate</source><translation>估计</translation></message>
    <message><source>Measured</source><translation>实测</translation></message>
    <message><source>Error</source><translation>误差</translation></message>
    <message><source>When a run has ended, what its ranks used is shown here beside its estimate.</source><translation>运行结束后，此处会在其估计值旁显示各 rank 的实际用量。</translation></message>
    <message numerus="yes"><source>Mean error %1 % over %n runs; the median run used %2 of its estimate.</source><translation><numerusform>%n 个运行的平均误差为 %1 %；居中的运行使用了其估计值的 %2。</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::MediaCard</name>
    <message><source>Histograms</source><translation>直方图</translation></message>
    <message><source>Distribution</source><translation>分布</translation></message>
    <message><source>Pictures</source><translation>图片</translation></message>
    <message><source>Texts</source><translation>文本</translation></message>
    <message><source>step %1</source><translation>第 %1 步</translation></message>
    <message><source>%1 of %2 steps · %3</source><translation>%1 / %2 步 · %3</translation></message>
    <message><source>As histograms</source><translation>显示为直方图</translation></message>
    <message><source>As distribution</source><translation>显示为分布</translation></message>
</context>
<context>
    <name>trainyard::desktop::MeshEditor</name>
    <message><source>Ranks of the mesh</source><translation>网格中的 rank</translation></message>
    <message><source>A row for each host; arrows go from rank to rank</source><translation>每台主机一行；用方向键在 rank 间移动</translation></message>
    <message><source>Suggest</source><translation>建议</translation></message>
    <message><source>Suggest a mesh</source><translation>建议一个网格</translation></message>
    <message><source>The fastest layout that fits, with tensor parallel ranks inside a host</source><translation>放得下的最快布局，张量并行的 rank位于同一主机内</translation></message>
    <message><source>The mesh is shown when the recipe has no errors.</source><translation>配方没有错误时显示网格。</translation></message>
    <message><source>memory of a rank: %1</source><translation>每个 rank的内存：%1</translation></message>
    <message><source>pp %1: %2 a rank, idle for %3 %</source><translation>pp %1：每个 rank %2，空闲 %3 %</translation></message>
    <message><source>sent in a step: %1 inside hosts, %2 between hosts</source><translation>每步发送：主机内 %1，主机间 %2</translation></message>
    <message><source>step: about %1</source><translation>每步：约 %1</translation></message>
    <message><source>No layout of these ranks fits the model and the memory of a rank.</source><translation>没有任何布局能同时适合该模型和单个 rank的内存。</translation></message>
</context>
<context>
    <name>trainyard::desktop::MeshModel</name>
    <message><source>this machine</source><translation>本机</translation></message>
    <message><source>Rank %1 on %2</source><translation>%2 上的 rank %1</translation></message>
    <message><source>%1: %2</source><translation>%1：%2</translation></message>
</context>
<context>
    <name>trainyard::desktop::MetricDots</name>
    <message><source>No metric was recorded.</source><translation>没有记录指标。</translation></message>
</context>
<context>
    <name>trainyard::desktop::MetricTile</name>
    <message><source>Click to open the chart; right-click to choose another metric</source><translation>单击打开图表；右键单击选择其他数值</translation></message>
</context>
<context>
    <name>trainyard::desktop::ModelPage</name>
    <message><source>Which model?</source><translation>使用哪个模型？</translation></message>
    <message><source>Any of the families, from random weights or from files of transformers.</source><translation>任一系列，从随机权重或从 transformers 的文件开始。</translation></message>
    <message><source>Custom</source><translation>自定义</translation></message>
    <message><source>Size</source><translation>大小</translation></message>
    <message><source>parameters; sets the numbers below</source><translation>参数量；决定下面的数值</translation></message>
    <message><source>Facts of the model</source><translation>模型信息</translation></message>
    <message><source>%1 parameters</source><translation>%1 个参数</translation></message>
    <message><source>no weights</source><translation>没有权重</translation></message>
    <message><source>no tokenizer.json</source><translation>没有 tokenizer.json</translation></message>
    <message><source>%1 classes</source><translation>%1 个类别</translation></message>
    <message><source>licence %1</source><translation>许可证 %1</translation></message>
    <message><source>Which model is fine-tuned?</source><translation>要微调哪个模型？</translation></message>
    <message><source>Its family, sizes and tokenizer are read from its folder.</source><translation>其系列、尺寸和分词器从其文件夹读取。</translation></message>
</context>
<context>
    <name>trainyard::desktop::NamedLayouts</name>
    <message><source>Name of the layout</source><translation>布局的名称</translation></message>
    <message><source>Remove</source><translation>移除</translation></message>
    <message><source>Save this layout</source><translation>保存此布局</translation></message>
    <message><source>Save this layout as…</source><translation>将此布局另存为…</translation></message>
</context>
<context>
    <name>trainyard::desktop::NotificationsPage</name>
    <message><source>Notifications</source><translation>通知</translation></message>
    <message><source>Runs that ended, and alarms</source><translation>已结束的运行以及告警</translation></message>
    <message><source>No notifications</source><translation>没有通知</translation></message>
    <message><source>step %1, train loss %2</source><translation>第 %1 步，训练损失 %2</translation></message>
    <message><source>, validation %1</source><translation>，验证 %1</translation></message>
    <message><source>Alarm</source><translation>告警</translation></message>
    <message><source>Notice</source><translation>提示</translation></message>
    <message numerus="yes"><source>The newest %1 are shown; %Ln older notifications were dropped.</source><translation><numerusform>显示最新的 %1 条；已丢弃 %Ln 条较早的通知。</numerusform></translation></message>
    <message><source>Open run</source><translation>打开运行</translation></message>
    <message><source>Open run %1</source><translation>打开运行 %1</translation></message>
    <message><source>Runs that finish, fail or are lost, and alarms of active runs, are listed here.</source><translation>完成、失败或失联的运行，以及进行中运行的告警，会列在此处。</translation></message>
</context>
<context>
    <name>trainyard::desktop::OpenedTrace</name>
    <message><source>Rank %1</source><translation>rank %1</translation></message>
    <message numerus="yes"><source>%n slices</source><translation><numerusform>%n 个切片</numerusform></translation></message>
    <message><source>%1 overlapping</source><translation>%1 个重叠</translation></message>
    <message><source>%1 at most</source><translation>最多 %1</translation></message>
    <message><source>%1, %2, %3, %4, %5 after the begin</source><translation>%1，%2，%3，%4，开始后 %5</translation></message>
</context>
<context>
    <name>trainyard::desktop::Opener</name>
    <message><source>Open settings, a recipe, a log, or a file of a run folder</source><translation>打开设置、配方、日志或运行文件夹中的文件</translation></message>
    <message><source>All files (*)</source><translation>所有文件 (*)</translation></message>
    <message><source>Settings, recipes, runs (*.yaml *.yml *.json)</source><translation>设置、配方、运行 (*.yaml *.yml *.json)</translation></message>
    <message><source>Profiler traces (*.json *.json.gz *.json.zst)</source><translation>性能分析器 trace (*.json *.json.gz *.json.zst)</translation></message>
    <message><source>Open a run, or a folder of TensorBoard logs</source><translation>打开运行或 TensorBoard 日志文件夹</translation></message>
    <message><source>Logs of another machine</source><translation>其他机器上的日志</translation></message>
    <message><source>Host and folder, as in gpu-a:runs/today or sftp://gpu-a/data/runs.
The host is one of Hosts, or of ~/.ssh/config.</source><translation>主机和文件夹，例如 gpu-a:runs/today 或 sftp://gpu-a/data/runs。
主机须来自“主机”列表或 ~/.ssh/config。</translation></message>
    <message><source>Logs (*tfevents* *.jsonl *.csv *.wandb trainer_state.json meta.yaml)</source><translation>日志 (*tfevents* *.jsonl *.csv *.wandb trainer_state.json meta.yaml)</translation></message>
</context>
<context>
    <name>trainyard::desktop::Overlays</name>
    <message><source>%1 − %2</source><translation>%1 − %2</translation></message>
</context>
<context>
    <name>trainyard::desktop::PageList</name>
    <message><source>SKIPPED</source><translation>已跳过</translation></message>
    <message><source>Show all pages</source><translation>显示所有页面</translation></message>
    <message><source>Pages</source><translation>页面</translation></message>
    <message><source>Hide unneeded</source><translation>隐藏不需要的</translation></message>
    <message><source>%1: %2</source><translation>%1：%2</translation></message>
</context>
<context>
    <name>trainyard::desktop::PanelBar</name>
    <message><source>Step</source><translation>步</translation></message>
    <message><source>Time</source><translation>时间</translation></message>
    <message><source>Tokens</source><translation>token</translation></message>
    <message><source>Epoch</source><translation>epoch</translation></message>
    <message><source>Wall</source><translation>时刻</translation></message>
    <message><source>Axes</source><translation>坐标轴</translation></message>
    <message><source>S</source><translation>小</translation></message>
    <message><source>M</source><translation>中</translation></message>
    <message><source>L</source><translation>大</translation></message>
    <message><source>Layout</source><translation>布局</translation></message>
    <message><source>Show or hide the tags (T)</source><translation>显示或隐藏标签 (T)</translation></message>
    <message><source>Show or hide the tags</source><translation>显示或隐藏标签</translation></message>
    <message><source>Search tags: words or /regex/</source><translation>搜索标签：词语或 /正则表达式/</translation></message>
    <message><source>Search tags</source><translation>搜索标签</translation></message>
    <message><source>Horizontal axis</source><translation>横轴</translation></message>
    <message><source>Time since the start</source><translation>自开始以来的时间</translation></message>
    <message><source>Date and time</source><translation>日期和时间</translation></message>
    <message><source>Logarithmic vertical axis</source><translation>对数纵轴</translation></message>
    <message><source>Logarithmic horizontal axis</source><translation>对数横轴</translation></message>
    <message><source>Show everything</source><translation>显示全部</translation></message>
    <message><source>Size of the charts</source><translation>图表大小</translation></message>
    <message><source>Small charts</source><translation>小图表</translation></message>
    <message><source>Medium charts</source><translation>中等图表</translation></message>
    <message><source>Large charts</source><translation>大图表</translation></message>
    <message><source>log y</source><translation>log y</translation></message>
    <message><source>log x</source><translation>log x</translation></message>
    <message><source>clipped</source><translation>已截去离群值</translation></message>
    <message><source>Axes: %1</source><translation>坐标轴：%1</translation></message>
    <message><source>Hide the tags</source><translation>隐藏标签</translation></message>
    <message><source>Show the tags</source><translation>显示标签</translation></message>
    <message><source>Reset the layout</source><translation>重置布局</translation></message>
    <message><source>%1 of %2</source><translation>%1 / %2</translation></message>
    <message numerus="yes"><source>%Ln tags</source><translation><numerusform>%Ln 个标签</numerusform></translation></message>
    <message><source>Hide outliers</source><translation>隐藏离群值</translation></message>
</context>
<context>
    <name>trainyard::desktop::PanelCard</name>
    <message><source>Star</source><translation>加星标</translation></message>
    <message><source>Enlarge</source><translation>放大</translation></message>
    <message><source>Actions</source><translation>操作</translation></message>
    <message><source>Remove the star</source><translation>移除星标</translation></message>
    <message><source>Pin to the top</source><translation>固定到顶部</translation></message>
    <message><source>Back to all (Esc)</source><translation>返回全部 (Esc)</translation></message>
    <message><source>Back to all</source><translation>返回全部</translation></message>
    <message><source>Add a star</source><translation>添加星标</translation></message>
    <message><source>Unpin</source><translation>取消固定</translation></message>
    <message><source>Take out</source><translation>移出</translation></message>
    <message><source>Copy the name</source><translation>复制名称</translation></message>
</context>
<context>
    <name>trainyard::desktop::ParallelismPage</name>
    <message><source>Replicate</source><translation>复制</translation></message>
    <message><source>DDP: the whole model on every device, gradients averaged</source><translation>DDP：每个设备上都有完整模型，梯度取平均</translation></message>
    <message><source>Shard</source><translation>分片</translation></message>
    <message><source>FSDP: all state split over the ranks</source><translation>FSDP：所有状态拆分到各 rank</translation></message>
    <message><source>ZeRO</source><translation>ZeRO</translation></message>
    <message><source>DeepSpeed&apos;s names, stage 0 to 3, offload to CPU or NVMe</source><translation>DeepSpeed 的名称，stage 0 到 3，可卸载到 CPU 或 NVMe</translation></message>
    <message><source>Mesh</source><translation>设备网格</translation></message>
    <message><source>FSDP 2 with tensor and context parallelism</source><translation>FSDP 2，结合张量并行和上下文并行</translation></message>
    <message><source>Train data-parallel</source><translation>数据并行训练</translation></message>
    <message><source>Use my script</source><translation>使用自有脚本</translation></message>
    <message><source>More ways</source><translation>更多方式</translation></message>
    <message><source>Megatron-LM</source><translation>Megatron-LM</translation></message>
    <message><source>Parallelism of %1 ranks</source><translation>%1 个 rank 的并行</translation></message>
    <message><source>Parallelism</source><translation>并行</translation></message>
    <message><source>Nothing is written until you launch or save.</source><translation>启动或保存之前不会写入任何内容。</translation></message>
    <message><source>The engine does not train this layout</source><translation>引擎不支持以此布局训练</translation></message>
    <message><source>Sizes of the mesh</source><translation>网格的大小</translation></message>
    <message><source>tensor, pipeline and sequence parallelism by its names</source><translation>使用其名称的张量并行、流水线并行和序列并行</translation></message>
</context>
<context>
    <name>trainyard::desktop::ParametersCard</name>
    <message><source>Parameters</source><translation>参数</translation></message>
    <message><source>%1 of %2 differ</source><translation>%1 / %2 项有差异</translation></message>
    <message><source>Copy as a table</source><translation>复制为表格</translation></message>
</context>
<context>
    <name>trainyard::desktop::ParametersModel</name>
    <message><source>Parameter</source><translation>参数</translation></message>
</context>
<context>
    <name>trainyard::desktop::PeaksPanel</name>
    <message><source>Measure again</source><translation>重新测量</translation></message>
    <message><source>%1FLOP/s, measured %2 (%3)</source><translation>%1FLOP/s，测量于 %2（%3）</translation></message>
    <message><source>The next run measures it before its first step.</source><translation>下一个运行会在第一步之前测量。</translation></message>
    <message><source>Not measured yet: the first run does it before its first step.</source><translation>尚未测量：首个运行会在第一步之前进行测量。</translation></message>
    <message><source>Deletes the measured peaks; the next run measures them before its first step</source><translation>清除已测得的峰值；下一个运行会在第一步之前重新测量</translation></message>
</context>
<context>
    <name>trainyard::desktop::PlaceBar</name>
    <message><source>host memory</source><translation>主机内存</translation></message>
    <message><source>disk</source><translation>磁盘</translation></message>
    <message><source>%1: %2</source><translation>%1：%2</translation></message>
    <message><source>of one host</source><translation>每台主机</translation></message>
</context>
<context>
    <name>trainyard::desktop::Preferences</name>
    <message><source>%1 could not be read. Defaults are used, and the file was kept as %2.</source><translation>无法读取 %1。已使用默认值，原文件保留为 %2。</translation></message>
    <message><source>%1: there is no language “%2” (appearance/language), so the system&apos;s is used. Choose one under Settings.</source><translation>%1：没有语言“%2”（appearance/language），因此使用系统语言。请在设置中选择。</translation></message>
    <message><source>%1: %2 is not a valid text size (appearance/size), so 100 is used. Write one of %3.</source><translation>%1：%2 不是有效的文字大小（appearance/size），因此使用 100。请填写 %3 之一。</translation></message>
</context>
<context>
    <name>trainyard::desktop::PresetsMenu</name>
    <message><source>Launch command</source><translation>launch 命令</translation></message>
    <message><source>torchrun command</source><translation>torchrun 命令</translation></message>
    <message><source>Settings file</source><translation>设置文件</translation></message>
    <message><source>DeepSpeed JSON</source><translation>DeepSpeed JSON</translation></message>
    <message><source>Keep</source><translation>保存</translation></message>
    <message><source>From the clipboard</source><translation>来自剪贴板</translation></message>
    <message><source>Delete</source><translation>删除</translation></message>
    <message><source>Apply</source><translation>应用</translation></message>
    <message><source>Presets</source><translation>预设</translation></message>
    <message><source>An accelerate or torchrun command, a settings file or a DeepSpeed JSON</source><translation>accelerate 或 torchrun 命令、设置文件或 DeepSpeed JSON</translation></message>
    <message><source>Name</source><translation>名称</translation></message>
    <message><source>Name of the new preset</source><translation>新预设的名称</translation></message>
    <message><source>Key</source><translation>键</translation></message>
    <message><source>Now</source><translation>当前</translation></message>
    <message><source>Then</source><translation>之后</translation></message>
    <message><source>Keys that the preset sets</source><translation>预设所设置的键</translation></message>
    <message><source>CLIPBOARD</source><translation>剪贴板</translation></message>
    <message><source>BUILT IN</source><translation>内置</translation></message>
    <message><source>YOUR OWN</source><translation>自定义</translation></message>
    <message><source>not set</source><translation>未设置</translation></message>
    <message><source>removed</source><translation>已移除</translation></message>
    <message><source>Open</source><translation>打开</translation></message>
    <message><source>Keys that change: %1</source><translation>将更改的键：%1</translation></message>
    <message><source>These settings are already in effect</source><translation>这些设置已生效</translation></message>
    <message><source>from the clipboard</source><translation>来自剪贴板</translation></message>
    <message><source>for %1</source><translation>用于 %1</translation></message>
    <message><source>Give the preset a name first.</source><translation>请先为预设命名。</translation></message>
    <message><source>Delete “%1”</source><translation>删除“%1”</translation></message>
    <message><source>Save the current settings</source><translation>将当前设置保存为预设</translation></message>
    <message><source>left out</source><translation>已省略</translation></message>
    <message><source>Left out for the engine: %1.</source><translation>为引擎省略：%1。</translation></message>
    <message><source>Saved as “%1”.</source><translation>已保存为“%1”。</translation></message>
</context>
<context>
    <name>trainyard::desktop::ProfileDialog</name>
    <message><source>Profile</source><translation>性能分析</translation></message>
    <message><source>Which of the next steps are recorded</source><translation>记录后续的哪些步</translation></message>
    <message><source>Record</source><translation>记录</translation></message>
    <message><source>steps in a row</source><translation>连续的步数</translation></message>
    <message><source>Warm up</source><translation>预热</translation></message>
    <message><source>Wait</source><translation>等待</translation></message>
    <message><source>steps before each recording</source><translation>每次记录前的步数</translation></message>
    <message><source>Recordings</source><translation>记录次数</translation></message>
    <message><source>each with its own files</source><translation>各有自己的文件</translation></message>
    <message><source>Skip first</source><translation>跳过开头</translation></message>
    <message><source>steps, once</source><translation>步，一次</translation></message>
    <message><source>Shapes and types of inputs</source><translation>输入的形状和类型</translation></message>
    <message><source>Of every operator. Steps take longer, files are larger.</source><translation>每个算子。步耗时更长，文件更大。</translation></message>
    <message><source>Record every memory allocation</source><translation>每次内存分配</translation></message>
    <message><source>The trace shows memory as a curve. Steps take longer, files are larger.</source><translation>trace 以曲线显示内存。步耗时更长，文件更大。</translation></message>
    <message><source>FLOPs of matrix products and convolutions</source><translation>矩阵乘法和卷积的 FLOPs</translation></message>
    <message><source>By formula, from the shapes, which are recorded, too.</source><translation>按公式由形状计算，形状也会被记录。</translation></message>
    <message><source>About step %1 is recorded.</source><translation>约在第 %1 步记录。</translation></message>
    <message><source>About steps %1 to %2 are recorded.</source><translation>约记录第 %1 到 %2 步。</translation></message>
    <message numerus="yes"><source>Then again every %Ln steps, %1 times in all.</source><translation><numerusform>之后每 %Ln 步再次记录，共 %1 次。</numerusform></translation></message>
    <message><source>Every rank writes a Chrome trace: operators, kernels of its GPU, phases, units and collectives. Steps take longer meanwhile.</source><translation>每个 rank 都会写出 Chrome trace：算子、其 GPU 的 kernel、阶段、单元和集合通信。在此期间每步耗时会变长。</translation></message>
    <message><source>steps before the recording, so that the start of the profiler is not recorded</source><translation>其前的步数：不含 profiler 的启动</translation></message>
    <message><source>Open the trace when it is recorded</source><translation>记录完成后打开 trace</translation></message>
    <message><source>If you have left the page of the run by then, it offers the trace instead.</source><translation>如果届时已离开该运行的页面，页面会改为提供打开 trace 的按钮。</translation></message>
</context>
<context>
    <name>trainyard::desktop::ProfileModel</name>
    <message><source>step %1</source><translation>第 %1 步</translation></message>
    <message><source>Run</source><translation>运行</translation></message>
    <message><source>Profile</source><translation>性能分析</translation></message>
    <message><source>Ranks</source><translation>rank</translation></message>
    <message><source>Size</source><translation>大小</translation></message>
    <message><source>Recorded</source><translation>记录时间</translation></message>
</context>
<context>
    <name>trainyard::desktop::ProgressLine</name>
    <message><source>Progress</source><translation>进度</translation></message>
    <message><source>step</source><translation>步</translation></message>
    <message><source>· paused, %1 left when it continues</source><translation>· 已暂停，继续后还需 %1</translation></message>
    <message><source>· paused</source><translation>· 已暂停</translation></message>
    <message><source>· %1 left · ends %2</source><translation>· 剩余 %1 · 结束于 %2</translation></message>
    <message><source>· time left is known after 20 steps</source><translation>· 20 步之后可知剩余时间</translation></message>
</context>
<context>
    <name>trainyard::desktop::PromptProcess</name>
    <message><source>%1 could not be started: build or install it</source><translation>无法启动 %1：请构建或安装它</translation></message>
    <message><source>The process that computes the text has ended without a message</source><translation>计算文本的进程已结束，没有给出消息</translation></message>
    <message><source>The process that computes the text was killed; the machine may have run out of memory</source><translation>计算文本的进程被外部终止；可能是内存不足所致</translation></message>
</context>
<context>
    <name>trainyard::desktop::QuestionPage</name>
    <message><source>Where does it run?</source><translation>在哪里运行？</translation></message>
    <message><source>Filled in from what this machine has.</source><translation>已按本机配置填写。</translation></message>
    <message><source>Number format and compilation</source><translation>数值格式与编译</translation></message>
    <message><source>A lower precision needs less memory. It is faster only on devices that compute in it.</source><translation>较低的精度所需内存更少。只有在支持以该精度计算的设备上才会更快。</translation></message>
    <message><source>Which cloud?</source><translation>使用哪个云？</translation></message>
    <message><source>What the jobs of Amazon SageMaker or a TPU pod need.</source><translation>Amazon SageMaker 作业或 TPU pod 所需的设置。</translation></message>
    <message><source>Numbers</source><translation>数值</translation></message>
    <message><source>Yes</source><translation>是</translation></message>
    <message><source>Choose…</source><translation>选择…</translation></message>
    <message><source>Choose a file for %1</source><translation>为 %1 选择文件</translation></message>
    <message><source>Choose a file</source><translation>选择文件</translation></message>
</context>
<context>
    <name>trainyard::desktop::Rail</name>
    <message><source>New run</source><translation>新建运行</translation></message>
    <message><source>Search or command</source><translation>搜索或命令</translation></message>
    <message><source>LIVE</source><translation>进行中</translation></message>
    <message><source>Collapse the sidebar (Ctrl+B)</source><translation>折叠侧边栏 (Ctrl+B)</translation></message>
    <message><source>Collapse the sidebar</source><translation>折叠侧边栏</translation></message>
    <message><source>New run (Ctrl+N)</source><translation>新建运行 (Ctrl+N)</translation></message>
    <message><source>Search or command (Ctrl+K)</source><translation>搜索或命令 (Ctrl+K)</translation></message>
    <message><source>Expand the sidebar (Ctrl+B)</source><translation>展开侧边栏 (Ctrl+B)</translation></message>
</context>
<context>
    <name>trainyard::desktop::RankBars</name>
    <message><source>Memory per rank</source><translation>每个 rank 的内存</translation></message>
    <message numerus="yes"><source>%n ranks</source><translation><numerusform>%n 个 rank</numerusform></translation></message>
    <message><source>stage %1, %2</source><translation>stage %1，%2</translation></message>
    <message><source>layers %1-%2</source><translation>第 %1-%2 层</translation></message>
    <message><source>%1 for a rank</source><translation>每个 rank %1</translation></message>
    <message><source>%1: %2</source><translation>%1：%2</translation></message>
    <message><source>%1 usable (without the CUDA context)</source><translation>可用 %1（已扣除 CUDA 上下文）</translation></message>
</context>
<context>
    <name>trainyard::desktop::RankPairDialog</name>
    <message><source>Compare two ranks</source><translation>比较两个 rank</translation></message>
    <message><source>From</source><translation>来源</translation></message>
    <message><source>To</source><translation>与</translation></message>
    <message><source>Compare</source><translation>比较</translation></message>
</context>
<context>
    <name>trainyard::desktop::RanksModel</name>
    <message><source>signal %1</source><translation>信号 %1</translation></message>
    <message><source>stopped</source><translation>已停止</translation></message>
    <message><source>exit %1</source><translation>退出 %1</translation></message>
    <message><source>%1  ·  %2 of %3 running</source><translation>%1  ·  %2 / %3 正在运行</translation></message>
    <message><source>%1  ·  lost</source><translation>%1  ·  失联</translation></message>
    <message><source>%1  ·  silent for %2 s</source><translation>%1  ·  %2 s 无响应</translation></message>
    <message><source>%1  ·  awaited</source><translation>%1  ·  等待中</translation></message>
    <message><source>Rank %1 on %2, %3, process %4</source><translation>rank %1，位于 %2，%3，进程 %4</translation></message>
    <message><source>last collective: %1</source><translation>最后的集合操作：%1</translation></message>
    <message><source>Rank</source><translation>rank</translation></message>
    <message><source>State</source><translation>状态</translation></message>
    <message><source>Step</source><translation>步</translation></message>
    <message><source>Phase</source><translation>阶段</translation></message>
    <message><source>Memory</source><translation>内存</translation></message>
    <message><source>Place</source><translation>位置</translation></message>
    <message><source>Most at any time:</source><translation>峰值：</translation></message>
    <message><source>Weights: %1</source><translation>权重：%1</translation></message>
    <message><source>Weights of the units that compute: %1</source><translation>正在计算的单元的权重：%1</translation></message>
    <message><source>Gradients: %1</source><translation>梯度：%1</translation></message>
    <message><source>Optimizer state: %1</source><translation>优化器状态：%1</translation></message>
    <message><source>Kept of what is on a disk: %1</source><translation>磁盘数据中保留在内存的部分：%1</translation></message>
    <message><source>Activations: %1</source><translation>激活值：%1</translation></message>
</context>
<context>
    <name>trainyard::desktop::RanksPanel</name>
    <message><source>Ranks</source><translation>rank</translation></message>
    <message><source>Enter shows the log of a rank</source><translation>按 Enter 显示 rank 的日志</translation></message>
    <message><source>%1 hosts</source><translation>%1 台主机</translation></message>
</context>
<context>
    <name>trainyard::desktop::ReadPanel</name>
    <message><source>kept</source><translation>保留</translation></message>
    <message><source>translated</source><translation>转换</translation></message>
    <message><source>repaired</source><translation>修复</translation></message>
    <message><source>unknown</source><translation>未知</translation></message>
    <message><source>dropped</source><translation>丢弃</translation></message>
    <message><source>problem</source><translation>问题</translation></message>
    <message><source>Go to %1</source><translation>转到 %1</translation></message>
    <message><source>What was read</source><translation>读取的内容</translation></message>
    <message><source>Copy the report</source><translation>复制报告</translation></message>
    <message><source>Copy what was read</source><translation>复制读取的内容</translation></message>
    <message><source>line %1, column %2: %3</source><translation>第 %1 行，第 %2 列：%3</translation></message>
    <message><source>The file</source><translation>文件</translation></message>
    <message><source>line %1: %2</source><translation>第 %1 行：%2</translation></message>
    <message><source>as in the file</source><translation>与文件中相同</translation></message>
    <message numerus="yes"><source>%n keys kept</source><translation><numerusform>已保留 %n 个键</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RecipePage</name>
    <message><source>Yes</source><translation>是</translation></message>
    <message><source>Output</source><translation>输出</translation></message>
    <message><source>More settings</source><translation>更多设置</translation></message>
    <message><source>Choose…</source><translation>选择…</translation></message>
    <message><source>Choose: %1</source><translation>请选择：%1</translation></message>
    <message><source>Folder…</source><translation>文件夹…</translation></message>
    <message><source>File…</source><translation>文件…</translation></message>
    <message><source>Everything is saved in the run folder.</source><translation>所有内容都保存在运行的文件夹中。</translation></message>
</context>
<context>
    <name>trainyard::desktop::RemoteLogs</name>
    <message><source>%1
The files copied so far are shown. Next attempt in %2 s.</source><translation>%1
已显示目前复制的内容。%2 s 后再次查询。</translation></message>
    <message><source>connecting</source><translation>正在连接</translation></message>
    <message><source>copying %1 %</source><translation>正在复制 %1 %</translation></message>
    <message><source>following</source><translation>正在跟随</translation></message>
    <message><source>silent</source><translation>无响应</translation></message>
    <message><source>needs an answer from you</source><translation>需要回应</translation></message>
</context>
<context>
    <name>trainyard::desktop::ReviewPage</name>
    <message><source>Save as…</source><translation>另存为…</translation></message>
    <message><source>Copy</source><translation>复制</translation></message>
    <message><source>Ready?</source><translation>准备好了吗？</translation></message>
    <message><source>Results of the checks, and the changes that will be written.</source><translation>检查结果以及将写入的内容。</translation></message>
    <message><source>Problems and notes</source><translation>问题和说明</translation></message>
    <message><source>Checks</source><translation>检查</translation></message>
    <message><source>Changed in the file</source><translation>文件中的更改</translation></message>
    <message><source>Changed lines</source><translation>已更改的行</translation></message>
    <message><source>The same on the command line</source><translation>等效的命令行</translation></message>
    <message><source>Command</source><translation>命令</translation></message>
    <message><source>Copy the command</source><translation>复制命令</translation></message>
    <message><source>Settings</source><translation>设置</translation></message>
    <message><source>%1 keys, no contradiction</source><translation>%1 个键，没有冲突</translation></message>
    <message><source>%1 to fix</source><translation>%1 项待修正</translation></message>
    <message><source>Layout</source><translation>布局</translation></message>
    <message><source>the engine trains it</source><translation>引擎支持训练</translation></message>
    <message><source>Recipe</source><translation>配方</translation></message>
    <message><source>being read</source><translation>正在读取</translation></message>
    <message><source>%1 parameters, %2 tokens a step</source><translation>%1 个参数，每步 %2 个 token</translation></message>
    <message><source>Text</source><translation>文本</translation></message>
    <message><source>readable, and long enough</source><translation>可读取，且长度足够</translation></message>
    <message><source>Go to field</source><translation>转到字段</translation></message>
    <message><source>Go to %1</source><translation>转到 %1</translation></message>
    <message><source>Train data-parallel</source><translation>数据并行训练</translation></message>
    <message><source>Use my script</source><translation>使用自有脚本</translation></message>
    <message><source>The file</source><translation>文件</translation></message>
    <message><source>No problems</source><translation>没有问题</translation></message>
    <message><source>The run can be launched.</source><translation>可以启动运行。</translation></message>
    <message><source>The file can be saved.</source><translation>可以保存文件。</translation></message>
    <message><source>and %1 more</source><translation>另有 %1 个</translation></message>
    <message><source>No file is open. Everything is new.</source><translation>没有打开的文件。所有内容都是新的。</translation></message>
    <message><source>No changes to %1.</source><translation>%1 没有更改。</translation></message>
    <message><source>being checked</source><translation>正在查看</translation></message>
</context>
<context>
    <name>trainyard::desktop::RunActions</name>
    <message><source>Rank 0 has not answered “%1” for 10 s</source><translation>rank 0 已有 10 s 没有响应“%1”</translation></message>
    <message><source>Requests are handled between two steps. “Kill now” takes effect at once.</source><translation>请求会在两步之间处理。“立即强制终止”会马上生效。</translation></message>
    <message><source>“%1” was not done</source><translation>“%1”未执行</translation></message>
    <message><source>Kill the run</source><translation>强制终止运行</translation></message>
    <message><source>Kill %1 at step %2?</source><translation>在第 %2 步强制终止 %1？</translation></message>
    <message numerus="yes"><source>The last checkpoint is from step %1: %Ln steps will be lost.</source><translation><numerusform>最后一个 checkpoint 来自第 %1 步：将丢失 %Ln 步。</numerusform></translation></message>
    <message numerus="yes"><source>There is no checkpoint yet: all %Ln steps will be lost.</source><translation><numerusform>还没有 checkpoint：全部 %Ln 步都将丢失。</numerusform></translation></message>
    <message><source>The profile was recorded</source><translation>性能分析已记录</translation></message>
    <message><source>Open the trace</source><translation>打开 trace</translation></message>
</context>
<context>
    <name>trainyard::desktop::RunDraft</name>
    <message><source>Choose the script to start.</source><translation>请选择要启动的脚本。</translation></message>
    <message><source>%1 is not a Python module name: use dots, as in package.train, or choose Script.</source><translation>%1 不是 Python 模块名：请用点号书写，例如 package.train，或选择“脚本”。</translation></message>
    <message><source>A quotation mark is not closed. Close it, or write three for a literal one.</source><translation>有引号未闭合。请将其闭合；如需引号本身，请连写三个。</translation></message>
    <message><source>“%1” is not of the form NAME=VALUE.</source><translation>“%1” 不是 NAME=VALUE 的形式。</translation></message>
    <message><source>A name cannot have a slash.</source><translation>名称不能包含斜杠。</translation></message>
    <message><source>The sizes of the mesh multiply to %1, and %2 ranks are started.</source><translation>网格各维大小的乘积为 %1，而将启动 %2 个 rank。</translation></message>
    <message><source>%1 is not in the cache of the hub on this machine. Download it with `trainyard download %1`, or choose a folder.</source><translation>%1 不在本机的 hub 缓存中。请用 `trainyard download %1` 下载，或选择一个文件夹。</translation></message>
</context>
<context>
    <name>trainyard::desktop::RunEdits</name>
    <message><source>Name reset</source><translation>名称已重置</translation></message>
    <message><source>Renamed to %1</source><translation>已重命名为 %1</translation></message>
    <message><source>Tags changed</source><translation>标签已更改</translation></message>
    <message><source>Note changed</source><translation>备注已更改</translation></message>
    <message><source>Colour changed</source><translation>颜色已更改</translation></message>
    <message numerus="yes"><source>%n archived</source><translation><numerusform>已归档 %n 个</numerusform></translation></message>
    <message numerus="yes"><source>%n unarchived</source><translation><numerusform>已取消归档 %n 个</numerusform></translation></message>
    <message><source>%1 is the baseline</source><translation>%1 是基线</translation></message>
    <message><source>No baseline</source><translation>无基线</translation></message>
    <message><source>%1 is number %2 in the queue</source><translation>%1 在队列中排第 %2 位</translation></message>
    <message><source>%1 is running. Stop it before deleting it.</source><translation>%1 正在运行。请先停止再删除。</translation></message>
    <message><source>1 run moved to the trash</source><translation>已将 1 个运行移至回收站</translation></message>
    <message><source>%1 runs moved to the trash</source><translation>已将 %1 个运行移至回收站</translation></message>
</context>
<context>
    <name>trainyard::desktop::RunFilter</name>
    <message><source>“%1” has no end: write %1/.</source><translation>“%1”没有结尾：请写成 %1/。</translation></message>
    <message><source>“%1” is not a valid regular expression: %2.</source><translation>“%1”不是正则表达式：%2。</translation></message>
    <message><source>“%1” is not a comparison: write %2&gt;%3.</source><translation>“%1”不是比较式：请写成 %2&gt;%3。</translation></message>
    <message><source>“%1” has no unit: write %2&lt;7d (s, m, h or d).</source><translation>“%1”没有单位：请写成 %2&lt;7d（s、m、h 或 d）。</translation></message>
    <message><source>“%1” needs a number: write %2%3%4.</source><translation>“%1”需要一个数字：请写成 %2%3%4。</translation></message>
    <message><source>No run has a key or metric named “%1”. Did you mean %2?</source><translation>没有运行具有名为“%1”的键或指标。您是指 %2 吗？</translation></message>
    <message><source>No run has a key or metric named “%1”.</source><translation>没有运行具有名为“%1”的键或指标。</translation></message>
</context>
<context>
    <name>trainyard::desktop::RunHeader</name>
    <message><source>Checkpoint now</source><translation>立即保存 checkpoint</translation></message>
    <message><source>Profile…</source><translation>性能分析…</translation></message>
    <message><source>Pause</source><translation>暂停</translation></message>
    <message><source>Stop</source><translation>停止</translation></message>
    <message><source>Run again</source><translation>重新运行</translation></message>
    <message><source>Records where the next steps spend their time (P)</source><translation>记录接下来几步的时间花在何处 (P)</translation></message>
    <message><source>Pauses after the current step; memory and GPUs stay in use (H)</source><translation>在当前步之后暂停；内存和 GPU 仍被占用 (H)</translation></message>
    <message><source>Saves a checkpoint after the current step (K)</source><translation>在当前步之后保存 checkpoint (K)</translation></message>
    <message><source>More</source><translation>更多</translation></message>
    <message><source>Choose how to stop (X)</source><translation>选择停止方式 (X)</translation></message>
    <message><source>Stop after a checkpoint</source><translation>保存 checkpoint 后停止</translation></message>
    <message><source>Stop after this step, without a checkpoint</source><translation>此步之后停止，不保存 checkpoint</translation></message>
    <message><source>Kill now…</source><translation>立即强制终止…</translation></message>
    <message><source>Resume from the last checkpoint</source><translation>从最后一个 checkpoint 恢复</translation></message>
    <message><source>Resume from another checkpoint</source><translation>从其他 checkpoint 恢复</translation></message>
    <message><source>Resume elsewhere…</source><translation>在别处恢复…</translation></message>
    <message><source>Run again from the start</source><translation>从头重新运行</translation></message>
    <message><source>Evaluate now</source><translation>立即评估</translation></message>
    <message><source>Change the learning rate…</source><translation>更改学习率…</translation></message>
    <message><source>All curves</source><translation>所有曲线</translation></message>
    <message><source>Every curve, histogram and text of the run, or back to the overview (T)</source><translation>此运行的所有曲线、直方图和文本，或返回概览 (T)</translation></message>
    <message><source>Layout</source><translation>布局</translation></message>
    <message><source>Add a note…</source><translation>添加备注…</translation></message>
    <message><source>Alarms of this run…</source><translation>此运行的告警…</translation></message>
    <message><source>Try it…</source><translation>试用…</translation></message>
    <message><source>A prompt, and how its checkpoints continue it</source><translation>输入提示词，查看其各 checkpoint 如何续写</translation></message>
    <message><source>Profiler traces</source><translation>性能分析器 trace</translation></message>
    <message><source>Open in a new window</source><translation>在新窗口中打开</translation></message>
    <message><source>Open folder</source><translation>打开文件夹</translation></message>
    <message><source>Copy path</source><translation>复制路径</translation></message>
    <message><source>Checkpoint requested</source><translation>已请求保存 checkpoint</translation></message>
    <message><source>Stopping</source><translation>正在停止</translation></message>
    <message><source>Profiling</source><translation>正在分析性能</translation></message>
    <message><source>Continue</source><translation>继续</translation></message>
    <message><source>Step %1</source><translation>第 %1 步</translation></message>
    <message><source>newest</source><translation>最新</translation></message>
    <message><source>best</source><translation>最佳</translation></message>
    <message><source>pinned</source><translation>已固定</translation></message>
    <message><source>of the run before</source><translation>来自上一个运行</translation></message>
    <message><source>Resume</source><translation>恢复</translation></message>
    <message><source>Resume from step %1 (its checkpoint is on %2)</source><translation>从第 %1 步恢复（其 checkpoint 在 %2 上）</translation></message>
    <message><source>Resume from step %1</source><translation>从第 %1 步恢复</translation></message>
    <message><source>Edit and run again…</source><translation>编辑并重新运行…</translation></message>
</context>
<context>
    <name>trainyard::desktop::RunPage</name>
    <message><source>Dashboard</source><translation>仪表板</translation></message>
    <message><source>Choose your data</source><translation>选择数据</translation></message>
    <message><source>Reconnect</source><translation>重新连接</translation></message>
    <message><source>Throughput, tok/s</source><translation>吞吐量，tok/s</translation></message>
    <message><source>Learning rate</source><translation>学习率</translation></message>
    <message><source>Gradient norm</source><translation>梯度范数</translation></message>
    <message><source>Loss scale</source><translation>loss scale</translation></message>
    <message><source>Reset the layout</source><translation>重置布局</translation></message>
    <message><source>Part of the run cannot be read</source><translation>运行的一部分无法读取</translation></message>
    <message><source>The sample run is complete</source><translation>示例运行已完成</translation></message>
    <message><source>The same model can be trained on your own text: choose a file or a folder.</source><translation>同一模型也可以用自己的文本训练：请选择文件或文件夹。</translation></message>
    <message><source>The run may still be active there. The data received so far is shown.</source><translation>此运行可能仍在那里继续。显示的是此前收到的内容。</translation></message>
    <message><source>%1 silent since %2</source><translation>%1 自 %2 起无响应</translation></message>
    <message><source>%1 has not answered yet</source><translation>%1 尚未响应</translation></message>
    <message><source>The supervisor of this run has not been running since %1</source><translation>此运行的监管进程自 %1 起已不再运行</translation></message>
    <message><source>It ran on %1. The data that it wrote is shown. Resume the run from its last checkpoint.</source><translation>它曾在 %1 上运行。显示的是其写入的内容。请从最后一个 checkpoint 恢复此运行。</translation></message>
    <message><source>No heartbeat for %1. The run may still be active there.</source><translation>已有 %1 没有心跳。此运行可能仍在那里继续。</translation></message>
    <message><source>Checkpoint now</source><translation>立即保存 checkpoint</translation></message>
    <message><source>Pause or continue</source><translation>暂停或继续</translation></message>
    <message><source>Profile the next steps</source><translation>对接下来的步做性能分析</translation></message>
    <message><source>Stop the run</source><translation>停止运行</translation></message>
    <message><source>Add a note at the crosshair</source><translation>在十字线处添加备注</translation></message>
    <message><source>All curves, or back to the overview</source><translation>所有曲线，或返回概览</translation></message>
    <message><source>Overlay another run</source><translation>叠加其他运行</translation></message>
    <message><source>Open the curve of a tile</source><translation>打开磁贴的曲线</translation></message>
    <message><source>Previous or next event</source><translation>上一个或下一个事件</translation></message>
    <message><source>Fit the curves to the chart</source><translation>使曲线适合图表</translation></message>
    <message><source>Logarithmic vertical axis</source><translation>对数纵轴</translation></message>
    <message><source>Show or hide the bands</source><translation>显示或隐藏区间带</translation></message>
    <message><source>Move the crosshair of the chart</source><translation>移动图表的十字线</translation></message>
    <message><source>Next zoom of the chart</source><translation>图表的下一个缩放</translation></message>
    <message><source>Previous zoom of the chart</source><translation>图表的上一个缩放</translation></message>
    <message><source>Find in the log</source><translation>在日志中查找</translation></message>
    <message><source>Go to the log</source><translation>转到日志</translation></message>
    <message><source>Save the layout under a name</source><translation>以名称保存布局</translation></message>
    <message><source>The disk of the run&apos;s folder is full</source><translation>运行文件夹所在的磁盘已满</translation></message>
    <message><source>Nothing could be written in %1 since %2, and the supervisor has ended. Make room on this disk, then resume the run from its last checkpoint.</source><translation>自 %2 起无法在 %1 中写入任何内容，监督进程也已结束。请在该磁盘上腾出空间，然后从最后一个检查点恢复运行。</translation></message>
    <message><source>Nothing could be written in %1 since %2. The ranks may still be training; once there is room on this disk, the run continues to write.</source><translation>自 %2 起无法在 %1 中写入任何内容。各 rank 可能仍在训练；该磁盘有空间后，运行会继续写入。</translation></message>
</context>
<context>
    <name>trainyard::desktop::RunScanner</name>
    <message><source>%1 is not there: it was moved or deleted, or its disk is not connected.</source><translation>%1 不存在：已被移动或删除，或其磁盘未连接。</translation></message>
    <message><source>Rank %1 failed first</source><translation>rank %1 最先失败</translation></message>
    <message><source>%1 on %2</source><translation>%1（%2）</translation></message>
    <message><source>%1, at step %2.</source><translation>%1，在第 %2 步。</translation></message>
    <message><source>this machine</source><translation>本机</translation></message>
    <message><source>This run lost its place in the queue. Queue it again.</source><translation>此运行失去了在队列中的位置。请重新排队。</translation></message>
    <message><source>The supervisor of this run ended without a message.</source><translation>此运行的监管进程已结束，没有给出消息。</translation></message>
    <message><source>No contact with %1 since %2.</source><translation>自 %2 起与 %1 失去联系。</translation></message>
    <message><source>No step for %1 s.</source><translation>已有 %1 s 没有新步。</translation></message>
</context>
<context>
    <name>trainyard::desktop::RunStarter</name>
    <message><source>The sample recipe was not found: set TRAINYARD_SAMPLE to a recipe, or install Trainyard again.</source><translation>找不到示例配方：请将 TRAINYARD_SAMPLE 设为某个配方，或重新安装 Trainyard。</translation></message>
</context>
<context>
    <name>trainyard::desktop::RunsModel</name>
    <message><source>baseline</source><translation>基线</translation></message>
    <message><source>Queued, number %1</source><translation>排队中，第 %1 位</translation></message>
    <message numerus="yes"><source>Stopping, %n left</source><translation><numerusform>正在停止，剩余 %n 个</numerusform></translation></message>
    <message><source>Name</source><translation>名称</translation></message>
    <message><source>State</source><translation>状态</translation></message>
    <message><source>Train loss</source><translation>训练损失</translation></message>
    <message><source>Train</source><translation>训练</translation></message>
    <message><source>Val</source><translation>验证</translation></message>
    <message><source>Tokens/s</source><translation>token/s</translation></message>
    <message><source>Step</source><translation>步</translation></message>
    <message><source>Hosts</source><translation>主机</translation></message>
    <message><source>Ranks</source><translation>rank</translation></message>
    <message><source>GPUs</source><translation>GPU</translation></message>
    <message><source>Started</source><translation>开始时间</translation></message>
    <message><source>Duration</source><translation>时长</translation></message>
    <message><source>Note</source><translation>备注</translation></message>
    <message><source>%1, selected for comparison</source><translation>%1，已选择进行比较</translation></message>
    <message><source>%1: click to sort, Shift+click to add a second sort key</source><translation>%1：单击排序，Shift+单击作为次要排序</translation></message>
</context>
<context>
    <name>trainyard::desktop::RunsPage</name>
    <message><source>Runs</source><translation>运行</translation></message>
    <message><source>azure</source><translation>天蓝</translation></message>
    <message><source>orange</source><translation>橙色</translation></message>
    <message><source>mint</source><translation>薄荷绿</translation></message>
    <message><source>mauve</source><translation>淡紫</translation></message>
    <message><source>straw</source><translation>草黄</translation></message>
    <message><source>violet</source><translation>紫罗兰</translation></message>
    <message><source>ice</source><translation>冰蓝</translation></message>
    <message><source>raspberry</source><translation>树莓红</translation></message>
    <message><source>olive</source><translation>橄榄绿</translation></message>
    <message><source>mist</source><translation>雾灰</translation></message>
    <message><source>Rename the run</source><translation>重命名运行</translation></message>
    <message><source>Tags of the run…</source><translation>运行的标签…</translation></message>
    <message><source>Note on the run…</source><translation>运行的备注…</translation></message>
    <message><source>Archive or unarchive the run</source><translation>归档或取消归档运行</translation></message>
    <message><source>Baseline: compare others with this run</source><translation>基线：将其他运行与此运行比较</translation></message>
    <message><source>Run again</source><translation>重新运行</translation></message>
    <message><source>Delete the run</source><translation>删除运行</translation></message>
    <message><source>Earlier in the queue</source><translation>在队列中前移</translation></message>
    <message><source>Later in the queue</source><translation>在队列中后移</translation></message>
    <message><source>Undo the last change to runs</source><translation>撤消对运行的上次更改</translation></message>
    <message><source>Redo the last undone change</source><translation>重做上次撤消的更改</translation></message>
    <message><source>Columns of the run list…</source><translation>运行列表的列…</translation></message>
    <message><source>Save the list as a table…</source><translation>将列表保存为表格…</translation></message>
    <message><source>Watch a folder of runs…</source><translation>监视运行文件夹…</translation></message>
    <message><source>Save this filter…</source><translation>保存此筛选器…</translation></message>
    <message><source>Tags of %1</source><translation>%1 的标签</translation></message>
    <message numerus="yes"><source>Tags of %n runs</source><translation><numerusform>%n 个运行的标签</numerusform></translation></message>
    <message><source>Separate tags with spaces</source><translation>用空格分隔标签</translation></message>
    <message><source>+tag adds a tag to all of them, -tag removes it</source><translation>+标签 为所有运行添加标签，-标签 将其移除</translation></message>
    <message><source>Note on %1</source><translation>%1 的备注</translation></message>
    <message><source>Name of the filter</source><translation>筛选器的名称</translation></message>
    <message><source>A folder that contains run folders</source><translation>包含运行文件夹的文件夹</translation></message>
    <message><source>Delete the filter %1</source><translation>删除筛选器 %1</translation></message>
    <message><source>Stop watching %1</source><translation>停止监视 %1</translation></message>
    <message><source>Undo</source><translation>撤消</translation></message>
    <message><source>Redo</source><translation>重做</translation></message>
    <message><source>Automatic</source><translation>自动</translation></message>
    <message><source>Open dashboard</source><translation>打开仪表板</translation></message>
    <message><source>Open in a new window</source><translation>在新窗口中打开</translation></message>
    <message><source>Compare</source><translation>比较</translation></message>
    <message><source>Start now</source><translation>立即启动</translation></message>
    <message><source>Remove from the queue</source><translation>从队列中移除</translation></message>
    <message><source>Queue again</source><translation>重新排队</translation></message>
    <message><source>Checkpoint now</source><translation>立即保存 checkpoint</translation></message>
    <message><source>Continue</source><translation>继续</translation></message>
    <message><source>Pause</source><translation>暂停</translation></message>
    <message><source>Stop after a checkpoint</source><translation>保存 checkpoint 后停止</translation></message>
    <message><source>Rename</source><translation>重命名</translation></message>
    <message><source>Tags…</source><translation>标签…</translation></message>
    <message><source>Note…</source><translation>备注…</translation></message>
    <message><source>Colour…</source><translation>颜色…</translation></message>
    <message><source>Stop using as baseline</source><translation>不再用作基线</translation></message>
    <message><source>Baseline for comparisons</source><translation>用作比较基线</translation></message>
    <message><source>Unarchive</source><translation>取消归档</translation></message>
    <message><source>Archive</source><translation>归档</translation></message>
    <message><source>Open folder</source><translation>打开文件夹</translation></message>
    <message><source>Copy path</source><translation>复制路径</translation></message>
    <message><source>Remove from the list</source><translation>从列表中移除</translation></message>
    <message><source>Delete</source><translation>删除</translation></message>
    <message><source>Stop the run first.</source><translation>请先停止此运行。</translation></message>
    <message><source>Locate…</source><translation>定位…</translation></message>
    <message><source>Where is %1 now?</source><translation>%1 现在在哪里？</translation></message>
    <message><source>Saved to %1.</source><translation>已保存到 %1。</translation></message>
    <message><source>Save the list</source><translation>保存列表</translation></message>
    <message><source>Tables (*.csv)</source><translation>表格 (*.csv)</translation></message>
    <message><source>All</source><translation>全部</translation></message>
    <message><source>Live</source><translation>进行中</translation></message>
    <message><source>Finished</source><translation>已完成</translation></message>
    <message><source>Failed</source><translation>失败</translation></message>
    <message><source>Archived</source><translation>已归档</translation></message>
    <message><source>Trash</source><translation>回收站</translation></message>
    <message><source>Columns</source><translation>列</translation></message>
    <message><source>Filter   tag:lr-sweep  lr&gt;1e-4  host:gpu-a</source><translation>筛选   tag:lr-sweep  lr&gt;1e-4  host:gpu-a</translation></message>
    <message><source>Filter the runs</source><translation>筛选运行</translation></message>
    <message><source>More for the list of runs</source><translation>运行列表的更多操作</translation></message>
    <message><source>Show all</source><translation>显示全部</translation></message>
    <message><source>Trash %1</source><translation>回收站 %1</translation></message>
    <message><source>1 run</source><translation>1 个运行</translation></message>
    <message><source>%1 runs</source><translation>%1 个运行</translation></message>
    <message><source>%1 live</source><translation>%1 个进行中</translation></message>
    <message><source>No run matches. Clear the filter or choose All.</source><translation>没有匹配的运行。请清除筛选器或选择“全部”。</translation></message>
    <message><source>Edit and run again…</source><translation>编辑并重新运行…</translation></message>
    <message><source>Select for comparison</source><translation>选择以进行比较</translation></message>
    <message><source>Compare the selected runs</source><translation>比较所选运行</translation></message>
    <message><source>Deselect all runs</source><translation>取消选择所有运行</translation></message>
    <message><source>Show them</source><translation>显示</translation></message>
    <message><source>Update the list</source><translation>更新列表</translation></message>
    <message><source>Deselect all</source><translation>全部取消选择</translation></message>
    <message numerus="yes"><source>%n runs are selected for comparison.</source><translation><numerusform>已选择 %n 个运行进行比较。</numerusform></translation></message>
    <message numerus="yes"><source>%n selected runs are not in this list, so they are not compared.</source><translation><numerusform>%n 个所选运行不在此列表中，因此未参与比较。</numerusform></translation></message>
    <message numerus="yes"><source>%n new runs</source><translation><numerusform>%n 个新运行</numerusform></translation></message>
    <message><source>The order of the runs has changed.</source><translation>运行的顺序已更改。</translation></message>
    <message numerus="yes"><source>%n of %1 compared runs are inside the ranges of the sweep.</source><translation><numerusform>%1 个比较的运行中有 %n 个位于扫描的范围内。</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::SamplesPanel</name>
    <message><source>Samples</source><translation>样例文本</translation></message>
    <message><source>Prompt</source><translation>提示词</translation></message>
    <message><source>Prompts of the recipe, in their order</source><translation>配方中的提示词，按其顺序</translation></message>
    <message><source>What the model wrote</source><translation>模型写出的内容</translation></message>
    <message><source>Step of the text</source><translation>文本所在的步</translation></message>
    <message><source>Prompt %1</source><translation>提示词 %1</translation></message>
    <message><source>step %1</source><translation>第 %1 步</translation></message>
    <message><source>%1 · cut</source><translation>%1 · 已截断</translation></message>
    <message><source>The text is truncated.</source><translation>文本比保留的部分更长。</translation></message>
</context>
<context>
    <name>trainyard::desktop::SamplingBar</name>
    <message><source>Greedy</source><translation>贪心</translation></message>
    <message><source>Sampling</source><translation>采样</translation></message>
    <message><source>Beams</source><translation>束搜索</translation></message>
    <message><source>Next token</source><translation>下一个 token</translation></message>
    <message><source>New tokens</source><translation>新 token 数</translation></message>
    <message><source>max_new_tokens: most tokens of an answer</source><translation>max_new_tokens：回答的最大 token 数</translation></message>
    <message><source>Temperature</source><translation>温度</translation></message>
    <message><source>Below 1 likely tokens become more likely</source><translation>小于 1 时，高概率 token 的概率更高</translation></message>
    <message><source>Top k</source><translation>Top k</translation></message>
    <message><source>Top p</source><translation>Top p</translation></message>
    <message><source>Seed</source><translation>种子</translation></message>
    <message><source>num_beams: texts that are continued side by side; the likeliest one is shown at the end</source><translation>num_beams：同时续写的文本数；最后显示概率最高的一个</translation></message>
    <message><source>Repetition</source><translation>重复惩罚</translation></message>
    <message><source>Samples from this many of the most likely tokens; 0: all</source><translation>从概率最高的这么多个 token 中采样；0：全部</translation></message>
    <message><source>Samples from the most likely tokens with this total probability</source><translation>从累计概率达到此值的最可能 token 中采样</translation></message>
    <message><source>The same seed gives the same text</source><translation>相同的种子会采样出相同的文本</translation></message>
    <message><source>repetition_penalty: values above 1 make tokens that already occurred less likely</source><translation>repetition_penalty：大于 1 时，已出现过的 token 概率降低</translation></message>
</context>
<context>
    <name>trainyard::desktop::SavedScenarios</name>
    <message><source>Written: %1.</source><translation>已写出：%1。</translation></message>
    <message><source>it holds no list of scenarios</source><translation>其中没有方案列表</translation></message>
    <message><source>%1 is damaged and could not be put aside: %2</source><translation>%1 已损坏，且无法移开：%2</translation></message>
    <message numerus="yes"><source>%n of the kept scenarios in %1 cannot be read by this version and stay there as they are.</source><translation><numerusform>%1 中有 %n 个保存的方案无法被此版本读取，将原样保留。</numerusform></translation></message>
    <message><source>Give the scenario a name.</source><translation>请为方案命名。</translation></message>
    <message><source>There is a scenario %1 already: give another name.</source><translation>已有名为 %1 的方案：请换一个名称。</translation></message>
    <message><source>Neither file can express: %1.</source><translation>两个文件都无法表示：%1。</translation></message>
    <message><source>The saved scenarios in %1 could not be read (%2). A copy was saved as %3.</source><translation>无法读取 %1 中保存的方案（%2）：该文件已保留为 %3。</translation></message>
</context>
<context>
    <name>trainyard::desktop::Scenario</name>
    <message><source>the sizes multiply to %1 ranks, there are %2 devices</source><translation>各项大小之积为 %1 个 rank，而设备有 %2 个</translation></message>
</context>
<context>
    <name>trainyard::desktop::ScenarioMenu</name>
    <message><source>Scenarios</source><translation>方案</translation></message>
    <message><source>Write recipe and settings…</source><translation>写出配方和设置…</translation></message>
    <message><source>Folder for the recipe and its settings</source><translation>存放配方及其设置的文件夹</translation></message>
    <message><source>Open</source><translation>打开</translation></message>
    <message><source>Compare with what is shown</source><translation>与当前显示的比较</translation></message>
    <message><source>Rename…</source><translation>重命名…</translation></message>
    <message><source>Rename the scenario</source><translation>重命名方案</translation></message>
    <message><source>Delete…</source><translation>删除…</translation></message>
    <message><source>Name of the scenario</source><translation>方案名称</translation></message>
    <message><source>Delete the scenario</source><translation>删除方案</translation></message>
    <message><source>Delete the scenario %1?</source><translation>删除方案 %1？</translation></message>
    <message><source>This cannot be undone.</source><translation>此操作无法撤销。</translation></message>
    <message><source>Delete</source><translation>删除</translation></message>
    <message><source>Save as…</source><translation>保存为…</translation></message>
    <message><source>Save this scenario</source><translation>保存此方案</translation></message>
    <message><source>Saved as %1.</source><translation>已保存为 %1。</translation></message>
</context>
<context>
    <name>trainyard::desktop::ScriptPage</name>
    <message><source>Choose…</source><translation>选择…</translation></message>
    <message><source>Which script?</source><translation>使用哪个脚本？</translation></message>
    <message><source>It is started once for each rank, with Accelerate&apos;s variables set.</source><translation>每个 rank 启动一次，并设置 Accelerate 的变量。</translation></message>
    <message><source>Started as</source><translation>启动方式</translation></message>
    <message><source>Script</source><translation>脚本</translation></message>
    <message><source>python FILE</source><translation>python FILE</translation></message>
    <message><source>Module</source><translation>模块</translation></message>
    <message><source>python -m MODULE</source><translation>python -m MODULE</translation></message>
    <message><source>Program</source><translation>程序</translation></message>
    <message><source>without Python</source><translation>不使用 Python</translation></message>
    <message><source>the path as seen on every machine of the run</source><translation>该路径在运行的每台机器上都须有效</translation></message>
    <message><source>Arguments</source><translation>参数</translation></message>
    <message><source>as on a command line; quotation marks keep spaces together</source><translation>与命令行相同；引号可保留其中的空格</translation></message>
    <message><source>Choose the script</source><translation>选择脚本</translation></message>
    <message><source>The script to start</source><translation>要启动的脚本</translation></message>
    <message><source>Python scripts (*.py);;All files (*)</source><translation>Python 脚本 (*.py);;所有文件 (*)</translation></message>
    <message><source>with dots, as Python imports it: package.train</source><translation>使用点号，与 Python 导入时相同：package.train</translation></message>
    <message><source>%1, as in a terminal of this machine</source><translation>%1，与本机终端中相同</translation></message>
    <message><source>%1 (%2)</source><translation>%1 (%2)</translation></message>
    <message><source>%1 · Python %2 · %3</source><translation>%1 · Python %2 · %3</translation></message>
    <message><source>no torch</source><translation>没有 torch</translation></message>
    <message><source>Start</source><translation>启动</translation></message>
    <message><source>Interpreter</source><translation>解释器</translation></message>
    <message><source>environments found on this machine</source><translation>在本机找到的环境</translation></message>
    <message><source>Folder</source><translation>文件夹</translation></message>
    <message><source>that it starts in; empty: the folder of Trainyard</source><translation>程序启动所在的文件夹；留空：Trainyard 的文件夹</translation></message>
    <message><source>Variables</source><translation>变量</translation></message>
    <message><source>NAME=VALUE, one per line. They are stored in the run&apos;s folder: do not put secrets here.</source><translation>NAME=VALUE，每行一个。它们保存在运行文件夹中，因此不要放入机密。</translation></message>
    <message><source>Name</source><translation>名称</translation></message>
    <message><source>of the run; empty: that of the file</source><translation>运行的名称；留空：与文件相同</translation></message>
    <message><source>Choose an interpreter</source><translation>选择解释器</translation></message>
    <message><source>An interpreter, such as bin/python of an environment</source><translation>解释器，例如环境中的 bin/python</translation></message>
    <message><source>Choose the folder that the script starts in</source><translation>选择脚本启动所在的文件夹</translation></message>
    <message><source>The folder that the script starts in</source><translation>脚本启动所在的文件夹</translation></message>
</context>
<context>
    <name>trainyard::desktop::SecretDialog</name>
    <message><source>Passphrase of a key</source><translation>密钥的密码短语</translation></message>
    <message><source>%1 opens %2 and is locked by a passphrase.</source><translation>%1 用于打开 %2，并受密码短语保护。</translation></message>
    <message><source>Password for %1</source><translation>%1 的密码</translation></message>
    <message><source>The account %1 on %2 asks for its password.</source><translation>%2 上的账户 %1 要求输入密码。</translation></message>
    <message><source>%1 asks</source><translation>%1 询问</translation></message>
    <message><source>Wrong password. Try again.</source><translation>密码错误。请重试。</translation></message>
    <message><source>Log in</source><translation>登录</translation></message>
    <message><source>Save it in the key ring</source><translation>保存到密钥环</translation></message>
</context>
<context>
    <name>trainyard::desktop::SelectionPanel</name>
    <message><source>Kernels</source><translation>kernel</translation></message>
    <message><source>Ops</source><translation>算子</translation></message>
    <message><source>Calls</source><translation>调用</translation></message>
    <message><source>Slices</source><translation>切片</translation></message>
    <message><source>Compared</source><translation>对比</translation></message>
    <message><source>Selection</source><translation>选区</translation></message>
    <message><source>Copy the table</source><translation>复制表格</translation></message>
    <message><source>Table of the selection</source><translation>选区的表格</translation></message>
    <message><source>No work on a device in this range.</source><translation>此范围内没有设备上的工作。</translation></message>
    <message><source>Nothing in this range.</source><translation>此范围内没有内容。</translation></message>
    <message><source>The longest %1 of %2 slices.</source><translation>%2 个切片中最长的 %1 个。</translation></message>
    <message><source>Flame graph</source><translation>火焰图</translation></message>
    <message><source>Both took the same time everywhere.</source><translation>两者各处耗时相同。</translation></message>
</context>
<context>
    <name>trainyard::desktop::SettingsPage</name>
    <message><source>in Settings</source><translation>在“设置”中</translation></message>
    <message><source>Settings</source><translation>设置</translation></message>
    <message><source>Appearance</source><translation>外观</translation></message>
    <message><source>Runs</source><translation>运行</translation></message>
    <message><source>Folder for runs</source><translation>运行的文件夹</translation></message>
    <message><source>runs in the old folder stay where they are</source><translation>旧文件夹中的运行保持原位</translation></message>
    <message><source>Folder…</source><translation>文件夹…</translation></message>
    <message><source>Engine</source><translation>引擎</translation></message>
    <message><source>Program</source><translation>程序</translation></message>
    <message><source>Choose…</source><translation>选择…</translation></message>
    <message><source>Peak of this machine</source><translation>本机峰值</translation></message>
    <message><source>Notifications</source><translation>通知</translation></message>
    <message><source>About</source><translation>关于</translation></message>
    <message><source>Free software under the GNU General Public License, version 3 or later.</source><translation>自由软件，依据 GNU 通用公共许可证第 3 版或更高版本发布。</translation></message>
    <message><source>Copy environment</source><translation>复制环境信息</translation></message>
    <message><source>Trainyard %1
Engine %2
Qt %3
%4, %5</source><translation>Trainyard %1
引擎 %2
Qt %3
%4，%5</translation></message>
    <message><source>not found</source><translation>未找到</translation></message>
    <message><source>“%1” is not an absolute path: begin it with /.</source><translation>“%1”不是绝对路径：须以 / 开头。</translation></message>
    <message><source>The folder for runs “%1” is not writable: choose another or change its permissions.</source><translation>运行的文件夹“%1”不可写：请选择其他文件夹或更改其权限。</translation></message>
    <message><source>Changes take effect immediately unless noted</source><translation>除非另有说明，更改立即生效</translation></message>
    <message><source>set by the environment: a change is valid until the program is closed; runs in the old folder stay where they are</source><translation>由环境变量设置：更改在程序关闭前有效；旧文件夹中的运行保持不动</translation></message>
    <message><source>The highest rate that runs measured on its processor; MFU is relative to it</source><translation>运行在其处理器上测得的最高速率；MFU 以此为基准</translation></message>
</context>
<context>
    <name>trainyard::desktop::SharePanel</name>
    <message><source>Where the time went</source><translation>时间去向</translation></message>
    <message><source>compute only</source><translation>仅计算</translation></message>
    <message><source>compute</source><translation>计算</translation></message>
    <message><source>overlapped</source><translation>重叠</translation></message>
    <message><source>exposed communication</source><translation>未隐藏的通信</translation></message>
    <message><source>data</source><translation>数据</translation></message>
    <message><source>idle</source><translation>空闲</translation></message>
    <message><source>Communication hidden</source><translation>已隐藏的通信</translation></message>
    <message><source>in all steps</source><translation>在所有步中</translation></message>
    <message><source>Waited longest for</source><translation>等待最久的是</translation></message>
    <message><source>%1, %2</source><translation>%1，%2</translation></message>
    <message><source>From</source><translation>来源</translation></message>
    <message><source>kernels and copies</source><translation>kernel 和复制</translation></message>
    <message><source>phases of the step</source><translation>步的各阶段</translation></message>
    <message><source>operators of the host</source><translation>主机端算子</translation></message>
    <message><source>No time in this range</source><translation>此范围内没有时间</translation></message>
    <message><source>Pipeline bubble</source><translation>流水线气泡</translation></message>
    <message><source>%1, planned %2</source><translation>%1，计划 %2</translation></message>
</context>
<context>
    <name>trainyard::desktop::SideWindow</name>
    <message><source>Close this window</source><translation>关闭此窗口</translation></message>
</context>
<context>
    <name>trainyard::desktop::SideWindows</name>
    <message><source> – Trainyard</source><translation> – Trainyard</translation></message>
    <message><source>Comparison</source><translation>比较</translation></message>
</context>
<context>
    <name>trainyard::desktop::SlicePanel</name>
    <message><source>The chosen slice</source><translation>所选切片</translation></message>
    <message><source>Click a slice, or press → in the timeline.</source><translation>单击一个切片，或在时间线中按 →。</translation></message>
    <message><source>Joined with %1</source><translation>与 %1 关联</translation></message>
    <message><source>Waited for %1</source><translation>等待 %1</translation></message>
    <message><source>Duration</source><translation>时长</translation></message>
    <message><source>Begin</source><translation>开始</translation></message>
    <message><source>Rank</source><translation>rank</translation></message>
    <message><source>Track</source><translation>轨道</translation></message>
    <message><source>Category</source><translation>类别</translation></message>
    <message><source>Family</source><translation>系列</translation></message>
    <message><source>End</source><translation>结束</translation></message>
    <message><source>none in the file: shown to the end of the trace</source><translation>文件中没有：显示到 trace 末尾</translation></message>
</context>
<context>
    <name>trainyard::desktop::SlicePicture</name>
    <message numerus="yes"><source>Picture of %n elements</source><translation><numerusform>%n 个元素的图像</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::SmoothingControl</name>
    <message><source>Smoothing</source><translation>平滑</translation></message>
    <message><source>Smoothing weight</source><translation>平滑权重</translation></message>
    <message><source>Exponential moving average, as TensorBoard draws it. S switches it off and on.</source><translation>指数移动平均，与 TensorBoard 的画法相同。按 S 可开关。</translation></message>
</context>
<context>
    <name>trainyard::desktop::StartPage</name>
    <message><source>What would you like to start?</source><translation>想启动什么？</translation></message>
    <message><source>Every page is filled in already; change what you like. Nothing is written until you launch or save.</source><translation>每个页面都已预先填好，可按需更改。启动或保存之前不会写入任何内容。</translation></message>
    <message><source>Own Python script</source><translation>自有 Python 脚本</translation></message>
    <message><source>A script, module or program that uses Accelerate</source><translation>使用 Accelerate 的脚本、模块或程序</translation></message>
    <message><source>Settings file only</source><translation>仅设置文件</translation></message>
    <message><source>What accelerate config writes, for use elsewhere</source><translation>accelerate config 所写的内容，供别处使用</translation></message>
    <message><source>removed</source><translation>已移除</translation></message>
    <message><source>Start from a preset</source><translation>从预设开始</translation></message>
    <message><source>Train from scratch</source><translation>从头训练</translation></message>
    <message><source>A new model on your data, with Trainyard&apos;s engine; no Python</source><translation>用 Trainyard 的引擎在您的数据上训练新模型；无需 Python</translation></message>
    <message><source>Fine-tune a model</source><translation>微调模型</translation></message>
    <message><source>A folder of transformers, or a model of the hub, on your data</source><translation>在您的数据上微调 transformers 文件夹或 hub 模型</translation></message>
    <message><source>Start over</source><translation>重新开始</translation></message>
    <message><source>Continue draft</source><translation>继续草稿</translation></message>
    <message><source>Discard</source><translation>丢弃</translation></message>
    <message><source>Continue draft: %1</source><translation>继续草稿：%1</translation></message>
    <message><source>Discard the draft %1</source><translation>丢弃草稿 %1</translation></message>
    <message><source>Resumes from the newest checkpoint in %1</source><translation>从 %1 中最新的检查点继续</translation></message>
    <message><source>Resumes from step %1: %2</source><translation>从第 %1 步继续：%2</translation></message>
    <message><source>Saves this draft and begins a new one</source><translation>保存此草稿并新建一个</translation></message>
    <message><source>Left out for the engine: %1.</source><translation>为引擎省略：%1。</translation></message>
</context>
<context>
    <name>trainyard::desktop::StartPanel</name>
    <message><source>Start of the run</source><translation>运行的启动</translation></message>
    <message><source>Reading the run folder</source><translation>正在读取运行文件夹</translation></message>
    <message><source>The folder %1 is not there any more</source><translation>文件夹 %1 已不存在</translation></message>
    <message><source>In the queue: %1</source><translation>在队列中：%1</translation></message>
    <message><source>This run lost its place in the queue. Queue it again from the list of runs.</source><translation>此运行失去了在队列中的位置。请从运行列表重新排队。</translation></message>
    <message><source>Waiting for the first step: %1, %2</source><translation>正在等待第一步：%1，%2</translation></message>
    <message><source>The run ended before its first step</source><translation>此运行在第一步之前就已结束</translation></message>
    <message><source>The run finished without a step</source><translation>运行未执行任何步就结束了</translation></message>
    <message><source>Running for %1. Curves are shown here once the program writes TensorBoard files, JSON lines or CSV, or prints figures such as “step 20/100: loss 3.21”.</source><translation>已运行 %1。程序写入 TensorBoard 文件、JSON 行或 CSV，或输出“step 20/100: loss 3.21”之类的数值后，曲线会显示在这里。</translation></message>
    <message><source>Waiting for the first output, %1</source><translation>正在等待首次输出，%1</translation></message>
    <message><source>The program finished. It wrote no curves; what it printed is in the log.</source><translation>程序已结束，没有写入曲线；其输出在日志中。</translation></message>
    <message><source>The program failed. It had written no curves.</source><translation>程序失败，此前没有写入曲线。</translation></message>
    <message><source>The program was stopped. It had written no curves.</source><translation>程序已停止，此前没有写入曲线。</translation></message>
</context>
<context>
    <name>trainyard::desktop::StartStage</name>
    <message><source>%1 of %2</source><translation>%1 / %2</translation></message>
</context>
<context>
    <name>trainyard::desktop::StatusLine</name>
    <message><source>commands</source><translation>命令</translation></message>
    <message><source>shortcuts</source><translation>快捷键</translation></message>
    <message><source>Engine not found</source><translation>找不到引擎</translation></message>
    <message><source>Engine %1</source><translation>引擎 %1</translation></message>
    <message><source>Engine …</source><translation>引擎 …</translation></message>
    <message><source>stale %1 s, %2 is silent</source><translation>数据已过时 %1 s，%2 无响应</translation></message>
    <message><source>updated %1 s ago</source><translation>%1 s 前更新</translation></message>
    <message><source>manual</source><translation>手册</translation></message>
    <message><source>no active runs</source><translation>没有活动的运行</translation></message>
</context>
<context>
    <name>trainyard::desktop::StepButton</name>
    <message numerus="yes"><source>%n to fix</source><translation><numerusform>%n 项待修正</numerusform></translation></message>
    <message><source>skipped: %1</source><translation>已跳过：%1</translation></message>
    <message><source>Not needed: %1</source><translation>不需要：%1</translation></message>
</context>
<context>
    <name>trainyard::desktop::StepPage</name>
    <message><source>Remove it</source><translation>移除</translation></message>
    <message><source>Use %1</source><translation>使用 %1</translation></message>
</context>
<context>
    <name>trainyard::desktop::StepPicker</name>
    <message><source>Steps</source><translation>步</translation></message>
    <message><source>step %1, %2</source><translation>第 %1 步，%2</translation></message>
    <message><source>Step time</source><translation>每步时间</translation></message>
    <message numerus="yes"><source>%n steps</source><translation><numerusform>%n 步</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::TagFilter</name>
    <message><source>%1 is not a valid regular expression: %2.</source><translation>%1 不是正则表达式：%2。</translation></message>
</context>
<context>
    <name>trainyard::desktop::TagTree</name>
    <message><source>Tags</source><translation>标签</translation></message>
    <message><source>Show</source><translation>显示</translation></message>
    <message><source>Remove the star</source><translation>移除星标</translation></message>
    <message><source>Add a star</source><translation>添加星标</translation></message>
    <message><source>Pin to the top</source><translation>固定到顶部</translation></message>
    <message><source>Copy the name</source><translation>复制名称</translation></message>
    <message><source>Overlay</source><translation>叠加</translation></message>
</context>
<context>
    <name>trainyard::desktop::TensorModel</name>
    <message><source>new</source><translation>新增</translation></message>
    <message><source>renamed</source><translation>已重命名</translation></message>
    <message><source>reshaped</source><translation>形状已变</translation></message>
    <message><source>changed</source><translation>已更改</translation></message>
    <message numerus="yes"><source>%n tensors</source><translation><numerusform>%n 个张量</numerusform></translation></message>
    <message><source>Tensor</source><translation>张量</translation></message>
    <message><source>Type, shape</source><translation>类型，形状</translation></message>
    <message><source>Size</source><translation>大小</translation></message>
    <message><source>Norm</source><translation>范数</translation></message>
    <message><source>Values</source><translation>值</translation></message>
    <message><source>Change</source><translation>变化</translation></message>
    <message><source>Weights</source><translation>权重</translation></message>
    <message><source>Averaged weights</source><translation>平均权重</translation></message>
    <message><source>Optimizer</source><translation>优化器</translation></message>
    <message><source>Training state</source><translation>训练状态</translation></message>
    <message><source>Only in %1</source><translation>仅存在于 %1</translation></message>
    <message><source>Only in this one</source><translation>仅存在于当前 checkpoint</translation></message>
    <message><source>removed</source><translation>已移除</translation></message>
</context>
<context>
    <name>trainyard::desktop::TensorPanel</name>
    <message><source>Tensors</source><translation>张量</translation></message>
    <message><source>All</source><translation>全部</translation></message>
    <message><source>Changed</source><translation>已更改</translation></message>
    <message><source>NaN</source><translation>NaN</translation></message>
    <message><source>Cancel</source><translation>取消</translation></message>
    <message><source>Checkpoint to compare with</source><translation>要比较的 checkpoint</translation></message>
    <message><source>Filter</source><translation>筛选</translation></message>
    <message><source>Words of the name, a type (bf16), size&gt;1GB, nan, changed</source><translation>名称中的词、类型 (bf16)、size&gt;1GB、nan、changed</translation></message>
    <message><source>Filter tensors</source><translation>筛选张量</translation></message>
    <message><source>Tensors %1</source><translation>张量 %1</translation></message>
    <message><source>nothing</source><translation>无</translation></message>
    <message><source>Compare with…</source><translation>比较对象…</translation></message>
</context>
<context>
    <name>trainyard::desktop::Terminal</name>
    <message><source>No terminal program was found: install one, or name it in TERMINAL.</source><translation>找不到终端程序：请安装一个，或在 TERMINAL 中指定。</translation></message>
    <message><source>%1 could not be started.</source><translation>无法启动 %1。</translation></message>
</context>
<context>
    <name>trainyard::desktop::TileRow</name>
    <message><source>Another curve</source><translation>其他曲线</translation></message>
</context>
<context>
    <name>trainyard::desktop::TraceTableModel</name>
    <message><source>Name</source><translation>名称</translation></message>
    <message><source>Family</source><translation>系列</translation></message>
    <message><source>Category</source><translation>类别</translation></message>
    <message><source>Count</source><translation>计数</translation></message>
    <message><source>Total, ms</source><translation>总计，ms</translation></message>
    <message><source>Self, ms</source><translation>自身，ms</translation></message>
    <message><source>Mean, µs</source><translation>平均，µs</translation></message>
    <message><source>% of busy</source><translation>忙碌占比 %</translation></message>
    <message><source>Share</source><translation>占比</translation></message>
    <message><source>Track</source><translation>轨道</translation></message>
    <message><source>Begin, ms</source><translation>开始，ms</translation></message>
    <message><source>Before, ms</source><translation>之前，ms</translation></message>
    <message><source>After, ms</source><translation>之后，ms</translation></message>
    <message><source>Difference, ms</source><translation>差值，ms</translation></message>
    <message><source>% of step</source><translation>占步的 %</translation></message>
</context>
<context>
    <name>trainyard::desktop::TracesPage</name>
    <message><source>Traces</source><translation>trace</translation></message>
    <message><source>Timeline</source><translation>时间线</translation></message>
    <message><source>Where the time went</source><translation>时间去向</translation></message>
    <message><source>Slice</source><translation>切片</translation></message>
    <message><source>Step %1 is not in this trace</source><translation>第 %1 步不在此 trace 中</translation></message>
    <message><source>Traces of %1</source><translation>%1 的 trace</translation></message>
    <message><source>Reading %1</source><translation>正在读取 %1</translation></message>
    <message><source>%1 of %2, %3/s, file %4 of %5</source><translation>%1 / %2，%3/s，文件 %4 / %5</translation></message>
    <message><source>This trace cannot be shown</source><translation>此 trace 无法显示</translation></message>
    <message><source>Not everything in the file could be shown</source><translation>文件中的部分内容无法显示</translation></message>
    <message><source>whole trace, %1</source><translation>整个 trace，%1</translation></message>
    <message><source>step %1</source><translation>第 %1 步</translation></message>
    <message><source>all ranks</source><translation>所有 rank</translation></message>
    <message><source>%1 slices</source><translation>%1 个切片</translation></message>
    <message><source>searching</source><translation>正在搜索</translation></message>
    <message><source>%1 of %2</source><translation>%1 / %2</translation></message>
    <message><source>none</source><translation>无</translation></message>
    <message><source>Comparing with %1</source><translation>正在与 %1 比较</translation></message>
    <message><source>This trace cannot be compared</source><translation>此 trace 无法比较</translation></message>
    <message><source>Saved to %1.</source><translation>已保存到 %1。</translation></message>
    <message><source>Traces (*.json *.json.gz *.json.zst *.gz *.zst);;All files (*)</source><translation>trace (*.json *.json.gz *.json.zst *.gz *.zst);;所有文件 (*)</translation></message>
    <message><source>Find slices</source><translation>查找切片</translation></message>
    <message><source>Parts of names, /regular expressions/, dur&gt;5ms, cat:kernel, family:matmul, track:stream, rank:3, step:120, arg:bytes&gt;4096, !not. Enter goes to the next one.</source><translation>名称的一部分、/正则表达式/、dur&gt;5ms、cat:kernel、family:matmul、track:stream、rank:3、step:120、arg:bytes&gt;4096、!排除。按 Enter 转到下一个。</translation></message>
    <message><source>Order of the ranks</source><translation>rank 的顺序</translation></message>
    <message><source>By rank</source><translation>按 rank</translation></message>
    <message><source>Slowest first</source><translation>最慢的在前</translation></message>
    <message><source>Open…</source><translation>打开…</translation></message>
    <message><source>More</source><translation>更多</translation></message>
    <message><source>Open the newest profile of a folder…</source><translation>打开文件夹中最新的性能分析…</translation></message>
    <message><source>Compare with another trace…</source><translation>与其他 trace 比较…</translation></message>
    <message><source>Save the table as CSV…</source><translation>将表格保存为 CSV…</translation></message>
    <message><source>Colours by name</source><translation>按名称着色</translation></message>
    <message><source>Colours by family</source><translation>按系列着色</translation></message>
    <message><source>Fold all ranks</source><translation>折叠所有 rank</translation></message>
    <message><source>Unfold all ranks</source><translation>展开所有 rank</translation></message>
    <message><source>Reading</source><translation>正在读取</translation></message>
    <message><source>Cancel</source><translation>取消</translation></message>
    <message><source>Stops reading and shows what has been read so far.</source><translation>显示的是已读取的内容。</translation></message>
    <message><source>No trace yet.</source><translation>尚无 trace。</translation></message>
    <message><source>Press Profile on a run, or open a Chrome JSON file.</source><translation>在运行中按“性能分析”，或打开 Chrome JSON 文件。</translation></message>
    <message><source>Open a file…</source><translation>打开文件…</translation></message>
    <message><source>Open a folder…</source><translation>打开文件夹…</translation></message>
    <message><source>Runs</source><translation>运行</translation></message>
    <message><source>Zoom in, out</source><translation>放大，缩小</translation></message>
    <message><source>Earlier, later</source><translation>更早，更晚</translation></message>
    <message><source>Walk through slices</source><translation>逐个浏览切片</translation></message>
    <message><source>Previous, next slice of this name</source><translation>上一个、下一个同名切片</translation></message>
    <message><source>Select the range of the chosen slice</source><translation>选择所选切片的范围</translation></message>
    <message><source>Fit the selection</source><translation>缩放到选区</translation></message>
    <message><source>The whole trace</source><translation>整个 trace</translation></message>
    <message><source>Previous, next step</source><translation>上一步，下一步</translation></message>
    <message><source>Fold or unfold the rank</source><translation>折叠或展开 rank</translation></message>
    <message><source>Pin the rank to the top</source><translation>将 rank 固定到顶部</translation></message>
    <message><source>Set a mark; two marks measure the time between them</source><translation>标记；两个标记可测量间距</translation></message>
    <message><source>Next slice that was found</source><translation>下一个找到的切片</translation></message>
    <message><source>A trace, or the traces of all ranks</source><translation>一个 trace，或所有 rank 的 trace</translation></message>
    <message><source>A run, or a folder with traces</source><translation>运行，或包含 trace 的文件夹</translation></message>
    <message><source>The trace to compare with</source><translation>要比较的 trace</translation></message>
    <message><source>Save the table</source><translation>保存表格</translation></message>
    <message><source>Tables (*.csv)</source><translation>表格 (*.csv)</translation></message>
    <message><source>In the selected range of %1, times per step.</source><translation>在所选的 %1 范围内，每步时间。</translation></message>
    <message><source>In the whole trace, times per step.</source><translation>整个 trace，每步时间。</translation></message>
    <message><source>%1 before, %2 after; a step: %3 before, %4 after</source><translation>之前 %1，之后 %2；每步：之前 %3，之后 %4</translation></message>
    <message><source>%1 before, %2 after</source><translation>之前 %1，之后 %2</translation></message>
    <message><source>this trace</source><translation>此 trace</translation></message>
    <message><source>These ranks cannot be compared</source><translation>无法比较这些 rank</translation></message>
    <message><source>Save the picture</source><translation>保存图片</translation></message>
    <message><source>Pictures (*.png)</source><translation>图片 (*.png)</translation></message>
    <message><source>Save the selection as a trace</source><translation>将所选保存为 trace</translation></message>
    <message><source>Traces (*.json)</source><translation>trace (*.json)</translation></message>
    <message><source>%1 was not saved</source><translation>%1 未保存</translation></message>
    <message><source>Saving %1</source><translation>正在保存 %1</translation></message>
    <message><source>%1 slices saved to %2.</source><translation>已将 %1 个片段保存到 %2。</translation></message>
    <message><source>Compare two ranks…</source><translation>比较两个 rank…</translation></message>
    <message><source>Save the picture as PNG…</source><translation>将图片保存为 PNG…</translation></message>
    <message><source>Save the selection as a trace…</source><translation>将所选保存为 trace…</translation></message>
    <message><source>The schedule without waits, as outlines</source><translation>无等待的调度，以轮廓显示</translation></message>
    <message><source>For pipelines: when each micro-batch would have been computed without waiting.</source><translation>对于流水线：若无人等待，每个 micro-batch 的计算时间。</translation></message>
    <message><source>The profiles that were recorded</source><translation>已记录的性能分析</translation></message>
    <message><source>Recorded</source><translation>已记录</translation></message>
    <message><source>Recorded profiles</source><translation>已记录的性能分析</translation></message>
    <message><source>Open the trace</source><translation>打开 trace</translation></message>
</context>
<context>
    <name>trainyard::desktop::TrainingPage</name>
    <message><source>Training</source><translation>训练</translation></message>
    <message><source>Steps, batch and learning rate, and what they add up to on all ranks.</source><translation>步数、batch 和学习率，以及它们在所有 rank 上的合计。</translation></message>
</context>
<context>
    <name>trainyard::desktop::TrashView</name>
    <message><source>The trash is empty. Deleted runs are kept here and can be restored.</source><translation>回收站为空。已删除的运行保留在此处，可以还原。</translation></message>
    <message><source>Restore</source><translation>还原</translation></message>
    <message><source>Delete permanently…</source><translation>永久删除…</translation></message>
    <message><source>Empty the trash…</source><translation>清空回收站…</translation></message>
    <message><source>Deleted runs are kept</source><translation>已删除的运行保留</translation></message>
    <message><source>forever</source><translation>永久</translation></message>
    <message><source> days</source><translation> 天</translation></message>
    <message><source>Days that deleted runs are kept</source><translation>已删除运行的保留天数</translation></message>
    <message><source>Older runs are deleted permanently when the program starts. 0 keeps all of them.</source><translation>更早的运行会在程序启动时永久删除。0 表示全部保留。</translation></message>
    <message><source>Del</source><translation>Del</translation></message>
    <message><source>Restore (Enter)</source><translation>还原 (Enter)</translation></message>
    <message><source>Name</source><translation>名称</translation></message>
    <message><source>Deleted</source><translation>删除时间</translation></message>
    <message><source>Deleted permanently</source><translation>永久删除</translation></message>
    <message><source>Size</source><translation>大小</translation></message>
    <message><source>Id</source><translation>ID</translation></message>
    <message><source>Deleted runs</source><translation>已删除的运行</translation></message>
    <message><source>Copy path</source><translation>复制路径</translation></message>
    <message><source>never</source><translation>从不</translation></message>
    <message><source>in %1</source><translation>%1 后</translation></message>
    <message><source>at the next start</source><translation>下次启动时</translation></message>
    <message><source>%1 bytes</source><translation>%1 字节</translation></message>
    <message><source>Delete permanently</source><translation>永久删除</translation></message>
    <message><source>Delete %1 permanently?</source><translation>永久删除 %1？</translation></message>
    <message><source>Delete %1 runs permanently?</source><translation>永久删除 %1 个运行？</translation></message>
    <message><source>%1 with all curves, logs and checkpoints. This cannot be undone.</source><translation>%1，包括所有曲线、日志和 checkpoint。此操作无法撤消。</translation></message>
    <message><source>Delete %1</source><translation>删除 %1</translation></message>
    <message><source>%1 in total</source><translation>共 %1</translation></message>
</context>
<context>
    <name>trainyard::desktop::TryItPage</name>
    <message><source>Try it</source><translation>试用</translation></message>
    <message><source>Compare with a second checkpoint</source><translation>并排放置第二个 checkpoint</translation></message>
    <message><source>first</source><translation>第一个</translation></message>
    <message><source>second</source><translation>第二个</translation></message>
    <message><source>Write</source><translation>生成</translation></message>
    <message><source>Stop</source><translation>停止</translation></message>
    <message><source>Continues the text (Ctrl+Enter)</source><translation>续写文本 (Ctrl+Enter)</translation></message>
    <message><source>Stops generating; the text so far is kept</source><translation>结束文本；已生成的内容保留</translation></message>
    <message><source>Prompt</source><translation>提示词</translation></message>
    <message><source>Text for the model to continue</source><translation>用于续写的文本</translation></message>
    <message><source>Continue the text</source><translation>续写文本</translation></message>
    <message><source>Step %1</source><translation>第 %1 步</translation></message>
    <message><source>No complete checkpoint yet</source><translation>还没有完好的 checkpoint</translation></message>
    <message><source>A run saves its first checkpoint at step checkpoint.every, or on request.</source><translation>运行会在 checkpoint.every 指定的步，或在收到请求时保存第一个 checkpoint。</translation></message>
    <message><source>It cannot be opened</source><translation>无法打开</translation></message>
    <message><source>The checkpoints are on %1</source><translation>检查点在 %1 上</translation></message>
</context>
<context>
    <name>trainyard::desktop::ViewState</name>
    <message><source>it is larger than %1 KB</source><translation>它大于 %1 KB</translation></message>
    <message><source>it holds no object</source><translation>其中没有对象</translation></message>
    <message><source>The saved view of %1 could not be read (%2). It was reset, and the file was kept as %3.</source><translation>无法读取 %1 的已保存视图（%2）。视图已重置，原文件保留为 %3。</translation></message>
</context>
<context>
    <name>trainyard::desktop::WhatIfPanel</name>
    <message><source>Reset</source><translation>重置</translation></message>
    <message><source>What if</source><translation>假设</translation></message>
    <message><source>Micro-batch per rank</source><translation>每个 rank 的 micro-batch</translation></message>
    <message><source>Sequence length</source><translation>序列长度</translation></message>
    <message><source>Gradient accumulation</source><translation>梯度累积</translation></message>
    <message><source>Precision</source><translation>精度</translation></message>
    <message><source>fp32</source><translation>fp32</translation></message>
    <message><source>fp16</source><translation>fp16</translation></message>
    <message><source>bf16</source><translation>bf16</translation></message>
    <message><source>fp8</source><translation>fp8</translation></message>
    <message><source>Sharding</source><translation>分片</translation></message>
    <message><source>DDP</source><translation>DDP</translation></message>
    <message><source>ZeRO 1</source><translation>ZeRO 1</translation></message>
    <message><source>ZeRO 2</source><translation>ZeRO 2</translation></message>
    <message><source>Full</source><translation>完全</translation></message>
    <message><source>Optimizer</source><translation>优化器</translation></message>
    <message><source>Tensor parallel</source><translation>张量并行</translation></message>
    <message><source>Pipeline stages</source><translation>流水线 stage 数</translation></message>
    <message><source>Context parallel</source><translation>上下文并行</translation></message>
    <message><source>Activation checkpointing</source><translation>激活重计算</translation></message>
    <message><source>Off</source><translation>关闭</translation></message>
    <message><source>Selective</source><translation>选择性</translation></message>
    <message><source>Offload parameters to host</source><translation>将参数卸载到主机</translation></message>
    <message><source>Loss in chunks</source><translation>分块计算损失</translation></message>
    <message><source>16-bit weights, fp32 masters</source><translation>16 位权重，fp32 主权重</translation></message>
    <message><source>%1, powers of two</source><translation>%1，2 的幂</translation></message>
    <message><source>Memory of a host, GiB</source><translation>每台主机内存，GiB</translation></message>
    <message><source>not known</source><translation>未知</translation></message>
    <message><source>What is offloaded is judged by it; 0: not known</source><translation>据此判断卸载的内容；0：未知</translation></message>
    <message><source>Optimizer state</source><translation>优化器状态</translation></message>
    <message><source>Device</source><translation>设备</translation></message>
    <message><source>Host</source><translation>主机</translation></message>
    <message><source>Disk</source><translation>磁盘</translation></message>
    <message><source>%1: %2</source><translation>%1：%2</translation></message>
    <message numerus="yes"><source>%1 data × %2 tensor × %3 context × %4 stages = %n ranks</source><translation><numerusform>%1 数据 × %2 张量 × %3 上下文 × %4 stage = %n 个 rank</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::WindowCommands</name>
    <message><source>New run</source><translation>新建运行</translation></message>
    <message><source>Open a file…</source><translation>打开文件…</translation></message>
    <message><source>Open a run folder or a folder of logs…</source><translation>打开运行文件夹或日志文件夹…</translation></message>
    <message><source>Open logs of another machine…</source><translation>打开其他机器上的日志…</translation></message>
    <message><source>Start the sample run</source><translation>启动示例运行</translation></message>
    <message><source>Go to %1</source><translation>转到 %1</translation></message>
    <message><source>Command palette</source><translation>命令面板</translation></message>
    <message><source>Shortcuts</source><translation>快捷键</translation></message>
    <message><source>Collapse or expand the sidebar</source><translation>折叠或展开侧边栏</translation></message>
    <message><source>Back</source><translation>后退</translation></message>
    <message><source>Forward</source><translation>前进</translation></message>
    <message><source>Refresh</source><translation>刷新</translation></message>
    <message><source>Find in this page</source><translation>在此页面中查找</translation></message>
    <message><source>Main action of this page</source><translation>此页面的主要操作</translation></message>
    <message><source>Open in a new window</source><translation>在新窗口中打开</translation></message>
    <message><source>Theme: dark</source><translation>主题：深色</translation></message>
    <message><source>Theme: light</source><translation>主题：浅色</translation></message>
    <message><source>Theme: as the system</source><translation>主题：跟随系统</translation></message>
    <message><source>Quit</source><translation>退出</translation></message>
    <message><source>Open %1</source><translation>打开 %1</translation></message>
    <message><source>Manual</source><translation>手册</translation></message>
    <message><source>Start here: features beside a plain loop</source><translation>从这里开始：各功能与简单循环的对比</translation></message>
</context>
<context>
    <name>trainyard::desktop::WizardPage</name>
    <message><source>New run</source><translation>新建运行</translation></message>
    <message><source>1 field to fix</source><translation>1 个字段待修正</translation></message>
    <message><source>%1 fields to fix</source><translation>%1 个字段待修正</translation></message>
    <message><source>Next: %1</source><translation>下一步：%1</translation></message>
    <message><source>from %1</source><translation>来自 %1</translation></message>
    <message><source>Nothing is written until you launch or save</source><translation>启动或保存之前不会写入任何内容</translation></message>
    <message><source>The recipe cannot be run</source><translation>此配方无法运行</translation></message>
    <message><source>%1 cannot be read: %2 problems</source><translation>无法读取 %1：%2 个问题</translation></message>
    <message><source>%1 cannot be read</source><translation>无法读取 %1</translation></message>
    <message><source>%1 has a problem; the form shows what could be read</source><translation>%1 有一个问题；表单显示可读取的内容</translation></message>
    <message><source>%1 has %2 problems; the form shows what could be read</source><translation>%1 有 %2 个问题；表单显示可读取的内容</translation></message>
    <message><source>Choose a file…</source><translation>选择文件…</translation></message>
    <message><source>The settings of accelerate</source><translation>accelerate 的设置</translation></message>
    <message><source>Open settings, a recipe or a DeepSpeed file</source><translation>打开设置、配方或 DeepSpeed 文件</translation></message>
    <message><source>Settings and recipes (*.yaml *.yml *.json);;All files (*)</source><translation>设置和配方 (*.yaml *.yml *.json);;所有文件 (*)</translation></message>
    <message><source>The settings were not saved</source><translation>设置未保存</translation></message>
    <message><source>Saved as %1</source><translation>已保存为 %1</translation></message>
    <message><source>Save the settings</source><translation>保存设置</translation></message>
    <message><source>Settings (*.yaml *.yml *.json)</source><translation>设置 (*.yaml *.yml *.json)</translation></message>
    <message><source>Launch</source><translation>启动</translation></message>
    <message><source>Save as…</source><translation>另存为…</translation></message>
    <message><source>Launching…</source><translation>正在启动…</translation></message>
    <message><source>The run was not started</source><translation>运行未启动</translation></message>
    <message><source> on this machine</source><translation> 在本机上</translation></message>
    <message><source>this machine</source><translation>本机</translation></message>
    <message><source> on %1</source><translation> 在 %1 上</translation></message>
    <message><source>%1 hosts</source><translation>%1 台主机</translation></message>
    <message><source>%1 steps</source><translation>%1 步</translation></message>
    <message><source>draft saved</source><translation>草稿已保存</translation></message>
    <message><source>draft</source><translation>草稿</translation></message>
    <message><source>The draft</source><translation>草稿</translation></message>
    <message><source>Undo (Ctrl+Z)</source><translation>撤消 (Ctrl+Z)</translation></message>
    <message><source>Redo (Ctrl+Shift+Z)</source><translation>重做 (Ctrl+Shift+Z)</translation></message>
    <message><source>Open YAML…</source><translation>打开 YAML…</translation></message>
    <message><source>Presets</source><translation>预设</translation></message>
    <message><source>Guided</source><translation>向导</translation></message>
    <message><source>Expert</source><translation>专家</translation></message>
    <message><source>preset “%1”</source><translation>预设“%1”</translation></message>
    <message><source>Back</source><translation>上一步</translation></message>
    <message><source>Go to the first</source><translation>转到第一个</translation></message>
    <message><source>Alt+Left</source><translation>Alt+Left</translation></message>
    <message><source>Alt+Right</source><translation>Alt+Right</translation></message>
    <message><source>Undo in the form</source><translation>在表单中撤消</translation></message>
    <message><source>Redo in the form</source><translation>在表单中重做</translation></message>
    <message><source>Save the settings as YAML</source><translation>将设置保存为 YAML</translation></message>
    <message><source>Guided or Expert</source><translation>向导或专家</translation></message>
    <message><source>Go to field…</source><translation>转到字段…</translation></message>
    <message><source>Go to field</source><translation>转到字段</translation></message>
    <message><source>Field or key, e.g. main_process_port</source><translation>字段或键，例如 main_process_port</translation></message>
    <message numerus="yes"><source>%n ranks</source><translation><numerusform>%n 个 rank</numerusform></translation></message>
    <message><source>The data of the saved draft was replaced</source><translation>已保存草稿的数据已被替换</translation></message>
    <message><source>Launch with code that a file names?</source><translation>要使用文件指定的代码启动吗？</translation></message>
    <message><source>%1 names programs or libraries. With your rights, this launch executes:</source><translation>%1 指定了程序或库。此次启动会以您的权限执行：</translation></message>
    <message><source>You are asked once for each file, and again if it names something else.</source><translation>每个文件只询问一次；如果它指定了其他内容，会再次询问。</translation></message>
    <message><source>Train the draft on %1?</source><translation>用 %1 训练该草稿？</translation></message>
    <message><source>Use as training data</source><translation>用作训练数据</translation></message>
    <message><source>Use the model of %1 in the draft?</source><translation>在草稿中使用 %1 的模型？</translation></message>
    <message><source>The other settings of the draft stay.</source><translation>草稿的其他设置保持不变。</translation></message>
    <message><source>The draft “%1” is replaced.</source><translation>草稿“%1”将被替换。</translation></message>
    <message><source>Use the model</source><translation>使用该模型</translation></message>
    <message><source>Replace the draft</source><translation>替换草稿</translation></message>
    <message><source>Begin a draft with the estimate?</source><translation>用该估算开始新草稿？</translation></message>
    <message><source>The engine does not train this model as it is</source><translation>引擎无法按原样训练该模型</translation></message>
    <message><source>Neither recipe nor settings can express: %1.</source><translation>配方和设置都无法表达：%1。</translation></message>
    <message><source>The estimate does not fit into the memory of its device</source><translation>该估算超出设备的内存</translation></message>
    <message><source>A part of the estimate is not in this run</source><translation>估算的一部分不在此运行中</translation></message>
    <message><source>The draft had %1, now it has %2. Everything else of it is as it was saved: Undo takes the data back, Start over begins a new draft.</source><translation>草稿原有 %1，现在有 %2。其余内容与保存时相同：撤销可恢复数据，“重新开始”则新建草稿。</translation></message>
    <message><source>Continue draft on the first page opens it again.</source><translation>第一页上的“继续草稿”可再次打开它。</translation></message>
    <message><source>Start over</source><translation>重新开始</translation></message>
    <message><source>Settings</source><translation>设置</translation></message>
    <message><source>Discard the draft</source><translation>丢弃草稿</translation></message>
    <message><source>Discard the draft “%1”?</source><translation>丢弃草稿“%1”？</translation></message>
    <message><source>Discard</source><translation>丢弃</translation></message>
    <message><source>%1 does not apply now</source><translation>当前不询问 %1</translation></message>
    <message><source>The draft has no data yet. The rest of the draft does not change.</source><translation>草稿还没有数据。其余内容保持不变。</translation></message>
    <message><source>The draft has %1. The rest of the draft does not change.</source><translation>草稿目前使用 %1。其余内容保持不变。</translation></message>
    <message><source>Replace the draft by %1?</source><translation>打开 %1 以替换草稿？</translation></message>
    <message><source>The draft “%1” was saved</source><translation>草稿“%1”已搁置</translation></message>
    <message><source>It cannot be restored.</source><translation>无法恢复。</translation></message>
</context>
<context>
    <name>trainyard::desktop::WriteDialog</name>
    <message><source>Write weights</source><translation>写入权重</translation></message>
    <message><source>%1 alone</source><translation>仅 %1</translation></message>
    <message><source>Average of all %1, equal shares</source><translation>全部 %1 个的平均，比例相等</translation></message>
    <message><source>Moving average over all %1</source><translation>全部 %1 个的移动平均</translation></message>
    <message><source>Average of all %1, own shares</source><translation>全部 %1 个的平均，自定比例</translation></message>
    <message><source>As saved</source><translation>与保存时相同</translation></message>
    <message><source>As the run&apos;s base, else as saved</source><translation>与运行的基础权重相同，否则与保存的相同</translation></message>
    <message><source>One safetensors file</source><translation>单个 safetensors 文件</translation></message>
    <message><source>Shards with an index</source><translation>分片并附索引</translation></message>
    <message><source>torch.distributed.checkpoint</source><translation>torch.distributed.checkpoint</translation></message>
    <message><source>Folder for transformers</source><translation>transformers 文件夹</translation></message>
    <message><source> GB</source><translation> GB</translation></message>
    <message><source>0.2 0.3 0.5: one for each, oldest first</source><translation>0.2 0.3 0.5：每个一项，最旧的在前</translation></message>
    <message><source>none: names stay; else a file with a line &quot;old -&gt; new&quot; for each</source><translation>无：名称不变；否则为一个文件，每个名称一行 &quot;旧 -&gt; 新&quot;</translation></message>
    <message><source>Choose…</source><translation>选择…</translation></message>
    <message><source>Weights</source><translation>权重</translation></message>
    <message><source>Decay</source><translation>衰减</translation></message>
    <message><source>Shares</source><translation>比例</translation></message>
    <message><source>Type</source><translation>类型</translation></message>
    <message><source>Layout</source><translation>布局</translation></message>
    <message><source>Largest shard</source><translation>最大分片</translation></message>
    <message><source>Ranks</source><translation>rank 数</translation></message>
    <message><source>Rename by table</source><translation>按表重命名</translation></message>
    <message><source>Folder</source><translation>文件夹</translation></message>
    <message><source>Folder to write</source><translation>要写入的文件夹</translation></message>
    <message><source>Write</source><translation>写入</translation></message>
    <message><source>Table of names</source><translation>名称表</translation></message>
    <message><source>Name a folder to write to.</source><translation>请指定要写入的文件夹。</translation></message>
    <message><source>There are %1 checkpoints: give a share for each, as numbers with a space between.</source><translation>共有 %1 个 checkpoint：请为每个给出比例，用空格分隔数字。</translation></message>
    <message><source>Written to a temporary folder, read back and compared, then renamed.</source><translation>先写到目标旁，读回并比较，然后重命名。</translation></message>
</context>
<context>
    <name>trainyard::desktop::WrittenPanel</name>
    <message><source>YAML</source><translation>YAML</translation></message>
    <message><source>Recipe</source><translation>配方</translation></message>
    <message><source>Command</source><translation>命令</translation></message>
    <message><source>Edit</source><translation>编辑</translation></message>
    <message><source>Save as…</source><translation>另存为…</translation></message>
    <message><source>Preview</source><translation>预览</translation></message>
    <message><source>Copy what is shown</source><translation>复制所显示的内容</translation></message>
    <message><source>Copy what will be written</source><translation>复制将写入的内容</translation></message>
    <message><source>What will be written</source><translation>将写入的内容</translation></message>
    <message><source>Edit the text. The form follows.</source><translation>编辑文本，表单会随之更新。</translation></message>
    <message><source>Done</source><translation>完成</translation></message>
    <message><source>Comments typed here are not kept. Add them to the saved file.</source><translation>在此处输入的注释不会保留。请将其添加到保存的文件中。</translation></message>
    <message><source>JSON</source><translation>JSON</translation></message>
    <message><source>~ %1 changed</source><translation>~ 更改 %1</translation></message>
    <message><source>+ %1 added</source><translation>+ 新增 %1</translation></message>
    <message><source>%1 %2 removed</source><translation>%1 移除 %2</translation></message>
    <message><source>as in the file</source><translation>与文件中相同</translation></message>
    <message><source>Line %1, column %2: %3</source><translation>第 %1 行，第 %2 列：%3</translation></message>
</context>
<context>
    <name>trainyard::desktop::saveFile</name>
    <message><source>%1 was not written: %2</source><translation>%1 未写入：%2</translation></message>
</context>
<context>
    <name>trainyard::engine</name>
    <message><source>0 is the machine that hosts the main process</source><translation>0 是承载主进程的机器</translation></message>
    <message><source>1 shards flat parameters, 2 each parameter for itself</source><translation>1 切分展平的参数，2 单独切分每个参数</translation></message>
    <message><source>1e8 is the usual value</source><translation>通常为 1e8</translation></message>
    <message><source>2 is the present one</source><translation>2 为当前版本</translation></message>
    <message><source>A DeepSpeed JSON with zero_optimization</source><translation>含有 zero_optimization 的 DeepSpeed JSON</translation></message>
    <message><source>A copy of the model on each GPU of this machine (DDP), bf16</source><translation>本机每个 GPU 上一份模型副本（DDP），bf16</translation></message>
    <message><source>A further option of sbatch, as in --sbatch_arg=--exclusive</source><translation>sbatch 的其他选项，例如 --sbatch_arg=--exclusive</translation></message>
    <message><source>Do not requeue the job after it was stopped</source><translation>已停止的作业之后不会继续</translation></message>
    <message><source>A pod that gcloud reaches</source><translation>gcloud 可访问的 pod</translation></message>
    <message><source>A section of ~/.aws/config</source><translation>~/.aws/config 中的一节</translation></message>
    <message><source>A table with the columns channel and location</source><translation>含有 channel 和 location 列的表</translation></message>
    <message><source>A table with the columns name and regex</source><translation>含有 name 和 regex 列的表</translation></message>
    <message><source>AO: torchao, TE: Transformer Engine, MSAMP: MS-AMP</source><translation>AO：torchao，TE：Transformer Engine，MSAMP：MS-AMP</translation></message>
    <message><source>AWS Trainium and Inferentia</source><translation>AWS Trainium 和 Inferentia</translation></message>
    <message><source>AWS profile</source><translation>AWS 配置文件</translation></message>
    <message><source>Accelerate&apos;s usual one</source><translation>Accelerate 的常用值</translation></message>
    <message><source>Accelerators of this machine stay unused</source><translation>不使用本机的加速器</translation></message>
    <message><source>Access key</source><translation>访问密钥</translation></message>
    <message><source>Access key of AWS, if no profile is used; better kept in ~/.aws or in the environment</source><translation>没有配置文件时的 AWS 访问密钥；最好保存在 ~/.aws 或环境变量中</translation></message>
    <message><source>Access keys</source><translation>访问密钥</translation></message>
    <message><source>Account</source><translation>账户</translation></message>
    <message><source>Account that the job is charged to</source><translation>作业计费的账户</translation></message>
    <message><source>Accumulation</source><translation>累积</translation></message>
    <message><source>Accumulation steps</source><translation>累积步数</translation></message>
    <message><source>Activation checkpointing</source><translation>激活检查点</translation></message>
    <message><source>Address of one&apos;s own container image</source><translation>自有容器镜像的地址</translation></message>
    <message><source>Address of the main machine</source><translation>主机器的地址</translation></message>
    <message><source>After</source><translation>之后</translation></message>
    <message><source>Algorithm</source><translation>算法</translation></message>
    <message><source>All at once, or around a ring</source><translation>一次全部，或沿环传递</translation></message>
    <message><source>All machines are in one local network and reach the main machine&apos;s port directly</source><translation>所有机器在同一局域网内，可直接访问主机器的端口</translation></message>
    <message><source>Amazon SageMaker</source><translation>Amazon SageMaker</translation></message>
    <message><source>Amazon&apos;s kind of machine, e.g. ml.p3.2xlarge</source><translation>Amazon 的机器类型，例如 ml.p3.2xlarge</translation></message>
    <message><source>Amazon&apos;s region, e.g. us-east-1</source><translation>Amazon 的区域，例如 us-east-1</translation></message>
    <message><source>As gcloud lists it</source><translation>与 gcloud 列出的一致</translation></message>
    <message><source>Attention</source><translation>注意力</translation></message>
    <message><source>Average the loss over all tokens of a step instead of over micro batches</source><translation>对一步中的所有 token 求平均损失，而不是对 micro-batch</translation></message>
    <message><source>Back end</source><translation>后端</translation></message>
    <message><source>Backend of torch.compile; NO leaves the model as it is</source><translation>torch.compile 的后端；NO 表示模型保持不变</translation></message>
    <message><source>Backward prefetch</source><translation>反向预取</translation></message>
    <message><source>Batch job</source><translation>批处理作业</translation></message>
    <message><source>Before</source><translation>之前</translation></message>
    <message><source>Before or after the gradients of the present one</source><translation>在当前梯度之前或之后</translation></message>
    <message><source>Beginning of the job&apos;s name in SageMaker</source><translation>SageMaker 中作业名的开头</translation></message>
    <message><source>Best inside one machine; divides the attention heads</source><translation>最适合单机内；切分注意力头</translation></message>
    <message><source>Block scaling</source><translation>块缩放</translation></message>
    <message><source>Broadcast at the start</source><translation>启动时广播</translation></message>
    <message><source>Build sharded</source><translation>分片构建</translation></message>
    <message><source>Build the model already sharded (zero.Init), for models larger than one machine&apos;s memory</source><translation>构建时即对模型分片（zero.Init），用于大于单机内存的模型</translation></message>
    <message><source>By layer class</source><translation>按层的类</translation></message>
    <message><source>By size</source><translation>按大小</translation></message>
    <message><source>CPU memory</source><translation>CPU 内存</translation></message>
    <message><source>CPU offload</source><translation>CPU 卸载</translation></message>
    <message><source>CPU only</source><translation>仅 CPU</translation></message>
    <message><source>CPU smoke test</source><translation>CPU 冒烟测试</translation></message>
    <message><source>Cambricon</source><translation>寒武纪</translation></message>
    <message><source>Changing shapes</source><translation>变化的形状</translation></message>
    <message><source>Check</source><translation>检查</translation></message>
    <message><source>Check everything and print the command and environment of every process; start nothing</source><translation>检查全部内容并输出每个进程的命令和环境；不启动任何进程</translation></message>
    <message><source>Check operations</source><translation>检查操作</translation></message>
    <message><source>Check that all processes call the same operations with matching shapes; slower</source><translation>检查所有进程是否以匹配的形状调用相同操作；较慢</translation></message>
    <message><source>Checkpoints</source><translation>checkpoint</translation></message>
    <message><source>Checkpoints to the CPU</source><translation>checkpoint 存到 CPU</translation></message>
    <message><source>Choose attention kernels</source><translation>选择注意力内核</translation></message>
    <message><source>Class names of layers with experts, separated by commas</source><translation>含专家的层的类名，以逗号分隔</translation></message>
    <message><source>Class names of the layers to shard one by one, separated by commas; without it the model&apos;s own list</source><translation>要逐个分片的层的类名，以逗号分隔；不填则使用模型自己的列表</translation></message>
    <message><source>Clip at</source><translation>裁剪到</translation></message>
    <message><source>Clip gradients</source><translation>裁剪梯度</translation></message>
    <message><source>Cluster</source><translation>集群</translation></message>
    <message><source>Command file</source><translation>命令文件</translation></message>
    <message><source>Commands</source><translation>命令</translation></message>
    <message><source>Commands in a script</source><translation>脚本中的命令</translation></message>
    <message><source>Commands that `tpu-config` runs on every worker</source><translation>`tpu-config` 在每个 worker 上运行的命令</translation></message>
    <message><source>Compile</source><translation>编译</translation></message>
    <message><source>Compile for shapes that change from step to step</source><translation>为逐步变化的形状编译</translation></message>
    <message><source>Compile layers</source><translation>编译层</translation></message>
    <message><source>Compile mode</source><translation>编译模式</translation></message>
    <message><source>Compile the repeated layer once instead of the whole model: much shorter start</source><translation>只编译一次重复的层，而不是整个模型：启动快得多</translation></message>
    <message><source>Compile with</source><translation>编译工具</translation></message>
    <message><source>Compute activations again in the backward pass instead of keeping them: less memory, slower</source><translation>在反向传播中重新计算激活而不保存：内存更少，速度较慢</translation></message>
    <message><source>Compute the attention&apos;s activations again in the backward pass: less memory</source><translation>在反向传播中重新计算注意力的激活：内存更少</translation></message>
    <message><source>Compute the attention&apos;s softmax in single precision</source><translation>以单精度计算注意力的 softmax</translation></message>
    <message><source>Container image</source><translation>容器镜像</translation></message>
    <message><source>Context exchange</source><translation>上下文交换</translation></message>
    <message><source>Context parallel</source><translation>上下文并行</translation></message>
    <message><source>Context-parallel library</source><translation>上下文并行库</translation></message>
    <message><source>Copies of the sharded model</source><translation>分片模型的副本数</translation></message>
    <message><source>Cores for each process of the job</source><translation>作业中每个进程的核心数</translation></message>
    <message><source>Cores of a process</source><translation>每个进程的核心数</translation></message>
    <message><source>Data parallel</source><translation>数据并行</translation></message>
    <message><source>Data-parallel copies (HSDP)</source><translation>数据并行副本（HSDP）</translation></message>
    <message><source>Debug checks</source><translation>调试检查</translation></message>
    <message><source>DeepSpeed</source><translation>DeepSpeed</translation></message>
    <message><source>DeepSpeed file</source><translation>DeepSpeed 文件</translation></message>
    <message><source>DeepSpeed shards everything and keeps optimizer states and weights in CPU memory, bf16</source><translation>DeepSpeed 切分全部内容，并将优化器状态和权重保存在 CPU 内存中，bf16</translation></message>
    <message><source>DeepSpeed&apos;s filter, e.g. worker-0:0,2@worker-1</source><translation>DeepSpeed 的筛选器，例如 worker-0:0,2@worker-1</translation></message>
    <message><source>DeepSpeed&apos;s filter, e.g. worker-0:1@worker-2</source><translation>DeepSpeed 的筛选器，例如 worker-0:1@worker-2</translation></message>
    <message><source>DeepSpeed&apos;s filter: gpu-a@gpu-b:0,1</source><translation>DeepSpeed 的筛选器：gpu-a@gpu-b:0,1</translation></message>
    <message><source>DeepSpeed&apos;s multi-node launcher</source><translation>DeepSpeed 的多节点启动器</translation></message>
    <message><source>DeepSpeed&apos;s own JSON file; then the keys here that it also has must be left out</source><translation>DeepSpeed 自己的 JSON 文件；其中已有的键此处必须省略</translation></message>
    <message><source>Detach</source><translation>分离</translation></message>
    <message><source>Device</source><translation>设备</translation></message>
    <message><source>Device library</source><translation>设备库</translation></message>
    <message><source>Devices</source><translation>设备</translation></message>
    <message><source>Devices of each node, as in gpu:4</source><translation>每个节点的设备，例如 gpu:4</translation></message>
    <message><source>Distributed optimizer</source><translation>分布式优化器</translation></message>
    <message><source>Distribution</source><translation>分布方式</translation></message>
    <message><source>Do not print a trace when a process fails</source><translation>进程失败时不输出回溯</translation></message>
    <message><source>Double as bf16 too</source><translation>double 也用 bf16</translation></message>
    <message><source>Dropout in attention</source><translation>注意力的 dropout</translation></message>
    <message><source>Dropout of hidden states</source><translation>隐藏状态的 dropout</translation></message>
    <message><source>Dry run</source><translation>试运行</translation></message>
    <message><source>Dynamic shapes</source><translation>动态形状</translation></message>
    <message><source>EC2 type</source><translation>EC2 类型</translation></message>
    <message><source>Each process takes over the parameters of the first one when the model is wrapped</source><translation>包装模型时每个进程采用第一个进程的参数</translation></message>
    <message><source>Each unit is gathered and freed separately</source><translation>每个单元单独聚合和释放</translation></message>
    <message><source>Else they are given here</source><translation>否则在此处给出</translation></message>
    <message><source>Environment</source><translation>环境</translation></message>
    <message><source>Environment variables for the pod&apos;s machines, each as NAME=value</source><translation>pod 各机器的环境变量，格式均为 NAME=value</translation></message>
    <message><source>Exchange of context</source><translation>上下文的交换方式</translation></message>
    <message><source>Exclude</source><translation>排除</translation></message>
    <message><source>Expert parallel</source><translation>专家并行</translation></message>
    <message><source>FP8 in evaluation</source><translation>评估时使用 FP8</translation></message>
    <message><source>FP8 library</source><translation>FP8 库</translation></message>
    <message><source>FSDP 2 with recomputed activations and parameters in CPU memory, bf16</source><translation>FSDP 2，重新计算激活，参数存于 CPU 内存，bf16</translation></message>
    <message><source>FSDP group size</source><translation>FSDP 组大小</translation></message>
    <message><source>Fails where a graph breaks</source><translation>图中断时失败</translation></message>
    <message><source>Features</source><translation>特性</translation></message>
    <message><source>Features that the nodes must have</source><translation>节点必须具备的特性</translation></message>
    <message><source>File</source><translation>文件</translation></message>
    <message><source>File of settings for this launch instead of the default one</source><translation>本次启动使用的设置文件，代替默认文件</translation></message>
    <message><source>File whose lines `tpu-config` runs on every worker</source><translation>`tpu-config` 在每个 worker 上逐行运行的文件</translation></message>
    <message><source>File with lines `host slots=N`</source><translation>每行为 `host slots=N` 的文件</translation></message>
    <message><source>Fill matrices up to sizes that FP8 kernels can take</source><translation>将矩阵填充到 FP8 内核可处理的大小</translation></message>
    <message><source>Finds shapes that differ between processes; slower</source><translation>找出进程间不一致的形状；较慢</translation></message>
    <message><source>Folder for the output of the processes</source><translation>进程输出的文件夹</translation></message>
    <message><source>Folder on an NVMe disk for the optimizer state</source><translation>NVMe 磁盘上存放优化器状态的文件夹</translation></message>
    <message><source>Folder on an NVMe disk for the parameters</source><translation>NVMe 磁盘上存放参数的文件夹</translation></message>
    <message><source>For example an installation</source><translation>例如一次安装</translation></message>
    <message><source>For example ml.g5.xlarge</source><translation>例如 ml.g5.xlarge</translation></message>
    <message><source>For example us-central1-a</source><translation>例如 us-central1-a</translation></message>
    <message><source>For inputs whose length changes</source><translation>用于长度变化的输入</translation></message>
    <message><source>For long sequences</source><translation>用于长序列</translation></message>
    <message><source>For models larger than one GPU; stage 3 only</source><translation>用于大于单个 GPU 的模型；仅阶段 3</translation></message>
    <message><source>For models of transformers</source><translation>用于 transformers 的模型</translation></message>
    <message><source>For several machines with MPI installed</source><translation>用于安装了 MPI 的多台机器</translation></message>
    <message><source>For the commands on the pod&apos;s machines</source><translation>用于 pod 各机器上的命令</translation></message>
    <message><source>Format</source><translation>格式</translation></message>
    <message><source>Forward</source><translation>前向</translation></message>
    <message><source>Forward prefetch</source><translation>前向预取</translation></message>
    <message><source>Forward, input gradient or weight gradient</source><translation>前向、输入梯度或权重梯度</translation></message>
    <message><source>Free the gathered parameters after the forward pass: less memory, more communication</source><translation>前向传播后释放聚合的参数：内存更少，通信更多</translation></message>
    <message><source>Frees GPU memory at the price of time</source><translation>以时间换取 GPU 显存</translation></message>
    <message><source>Frees GPU memory, slower</source><translation>节省 GPU 显存，较慢</translation></message>
    <message><source>Full</source><translation>完整</translation></message>
    <message><source>Full graph</source><translation>完整图</translation></message>
    <message><source>Function of the script that is started on TPU</source><translation>在 TPU 上启动的脚本函数</translation></message>
    <message><source>Further arguments of SageMaker&apos;s estimator, e.g. max_run or use_spot_instances</source><translation>SageMaker estimator 的其他参数，例如 max_run 或 use_spot_instances</translation></message>
    <message><source>Further option</source><translation>其他选项</translation></message>
    <message><source>GPU ids</source><translation>GPU 编号</translation></message>
    <message><source>Gather in FP8</source><translation>以 FP8 聚合</translation></message>
    <message><source>Gather the next parameters during the forward pass; only for models whose order never changes</source><translation>在前向传播期间聚合后续参数；仅用于顺序从不变化的模型</translation></message>
    <message><source>Gather the weights in 16 bits when the model is saved</source><translation>保存模型时以 16 位聚合权重</translation></message>
    <message><source>Gathers the shards when the model is saved</source><translation>保存模型时聚合各分片</translation></message>
    <message><source>Global L2 norm</source><translation>全局 L2 范数</translation></message>
    <message><source>Google TPU through XLA</source><translation>通过 XLA 使用 Google TPU</translation></message>
    <message><source>Gradient clipping</source><translation>梯度裁剪</translation></message>
    <message><source>Gradients and optimizer</source><translation>梯度和优化器</translation></message>
    <message><source>Groups of layers that work one behind the other</source><translation>前后衔接工作的层组</translation></message>
    <message><source>HPU ids</source><translation>HPU 编号</translation></message>
    <message><source>HYBRID: E4M3 forward, E5M2 for gradients</source><translation>HYBRID：前向 E4M3，梯度 E5M2</translation></message>
    <message><source>HYBRID: E4M3 forwards and E5M2 backwards</source><translation>HYBRID：前向 E4M3，反向 E5M2</translation></message>
    <message><source>Half the traffic of bf16</source><translation>通信量为 bf16 的一半</translation></message>
    <message><source>Hand the run to SLURM as a batch job, and follow it</source><translation>将运行作为批处理作业交给 SLURM 并跟踪</translation></message>
    <message><source>Higher precision</source><translation>更高精度</translation></message>
    <message><source>History</source><translation>历史</translation></message>
    <message><source>History length</source><translation>历史长度</translation></message>
    <message><source>Host file</source><translation>主机文件</translation></message>
    <message><source>Host name or IP address that all machines reach</source><translation>所有机器都能访问的主机名或 IP 地址</translation></message>
    <message><source>Host name or address of the machine with rank 0</source><translation>rank 为 0 的机器的主机名或地址</translation></message>
    <message><source>Hosts</source><translation>主机</translation></message>
    <message><source>Hosts for mpirun; with it the processes are started by mpirun</source><translation>mpirun 的主机；设置后由 mpirun 启动进程</translation></message>
    <message><source>Hosts left out</source><translation>排除的主机</translation></message>
    <message><source>Hosts taken</source><translation>使用的主机</translation></message>
    <message><source>Hosts to start on over SSH, each with its number of processes if wanted: gpu-a,gpu-b:2</source><translation>通过 SSH 启动的主机，可各附进程数：gpu-a,gpu-b:2</translation></message>
    <message><source>How DeepSpeed starts the other machines</source><translation>DeepSpeed 启动其他机器的方式</translation></message>
    <message><source>How SageMaker spreads the work over devices</source><translation>SageMaker 将工作分配到设备的方式</translation></message>
    <message><source>How often all processes are started again when one fails</source><translation>有进程失败时全部进程重启的次数</translation></message>
    <message><source>How often the scaling factor is computed</source><translation>计算缩放因子的频率</translation></message>
    <message><source>How the machines find each other: `static`, `c10d` or another of torchrun&apos;s</source><translation>机器之间如何发现彼此：`static`、`c10d` 或 torchrun 的其他方式</translation></message>
    <message><source>How the machines find each other: static, c10d, etcd</source><translation>机器之间如何发现彼此：static、c10d、etcd</translation></message>
    <message><source>How the work is spread over processes and devices</source><translation>工作如何分配到进程和设备</translation></message>
    <message><source>Huawei Ascend</source><translation>华为昇腾</translation></message>
    <message><source>Hybrid</source><translation>混合</translation></message>
    <message><source>Hybrid, ZeRO-2</source><translation>混合，ZeRO-2</translation></message>
    <message><source>IAM role</source><translation>IAM 角色</translation></message>
    <message><source>Image</source><translation>镜像</translation></message>
    <message><source>In ECR, with its tag</source><translation>在 ECR 中，带标签</translation></message>
    <message><source>In higher precision than FP8</source><translation>以高于 FP8 的精度</translation></message>
    <message><source>Include</source><translation>包含</translation></message>
    <message><source>Input channels</source><translation>输入通道</translation></message>
    <message><source>Input gradient</source><translation>输入梯度</translation></message>
    <message><source>Inputs</source><translation>输入</translation></message>
    <message><source>Instance type</source><translation>实例类型</translation></message>
    <message><source>Intel GPUs</source><translation>Intel GPU</translation></message>
    <message><source>Intel Gaudi</source><translation>Intel Gaudi</translation></message>
    <message><source>Interval</source><translation>间隔</translation></message>
    <message><source>It must be allowed to use SageMaker, S3, ECR and logs</source><translation>必须有权使用 SageMaker、S3、ECR 和日志</translation></message>
    <message><source>It must be installed where the training runs</source><translation>必须安装在训练运行的地方</translation></message>
    <message><source>Job name</source><translation>作业名</translation></message>
    <message><source>Keep each process on the processor cores that are next to its device</source><translation>将每个进程固定在靠近其设备的处理器核心上</translation></message>
    <message><source>Keep optimizer state and main parameters in formats of fewer bits</source><translation>以较少位数的格式保存优化器状态和主参数</translation></message>
    <message><source>Keep parameters and gradients in the main memory; much slower</source><translation>将参数和梯度保存在主内存中；慢得多</translation></message>
    <message><source>Keep the activations that checkpointing saves in the main memory</source><translation>将 checkpoint 保存的激活放在主内存中</translation></message>
    <message><source>Keep the optimizer state in the main memory and step there</source><translation>将优化器状态保存在主内存中并在那里更新</translation></message>
    <message><source>Kind of device to train on: cpu, cuda, or the one that a library brings, e.g. npu</source><translation>训练所用设备的类型：cpu、cuda，或由库提供的类型，例如 npu</translation></message>
    <message><source>Largest model on this machine</source><translation>本机可训练的最大模型</translation></message>
    <message><source>Largest norm of the gradient; 0 is off</source><translation>梯度的最大范数；0 为关闭</translation></message>
    <message><source>Largest norm of the gradient; `auto` leaves it to the script</source><translation>梯度的最大范数；`auto` 由脚本决定</translation></message>
    <message><source>Largest value of the history, or the newest one</source><translation>历史中的最大值，或最新值</translation></message>
    <message><source>Launcher</source><translation>启动器</translation></message>
    <message><source>Layer classes</source><translation>层的类</translation></message>
    <message><source>Layers in the last pipeline stage; without it all stages have as many</source><translation>最后一个流水线阶段的层数；不填则各阶段相同</translation></message>
    <message><source>Layers of a group (`uniform`) or of a stage (`block`)</source><translation>一组（`uniform`）或一个阶段（`block`）的层数</translation></message>
    <message><source>Layers of the last stage</source><translation>最后阶段的层数</translation></message>
    <message><source>Least parameters</source><translation>最少参数量</translation></message>
    <message><source>Leave nothing of a program&apos;s run behind: no logs, no curves</source><translation>程序运行后不留下任何内容：没有日志，没有曲线</translation></message>
    <message><source>Leave the optimizer state out when a checkpoint is loaded</source><translation>加载 checkpoint 时不含优化器状态</translation></message>
    <message><source>Leave the optimizer state out when a checkpoint is saved</source><translation>保存 checkpoint 时不含优化器状态</translation></message>
    <message><source>Leave the token that ends a document out of the loss</source><translation>损失中不计文档结尾的 token</translation></message>
    <message><source>Length changes</source><translation>长度变化</translation></message>
    <message><source>Length of all sequences, where it does not change; a multiple of the sequence-parallel size</source><translation>所有序列的长度（不变时）；为序列并行大小的倍数</translation></message>
    <message><source>Less memory for little time</source><translation>以少量时间节省内存</translation></message>
    <message><source>Let Megatron choose the attention kernel (flash, fused, unfused)</source><translation>由 Megatron 选择注意力内核（flash、fused、unfused）</translation></message>
    <message><source>Level</source><translation>级别</translation></message>
    <message><source>Limits the global norm</source><translation>限制全局范数</translation></message>
    <message><source>Linear layers without FP8</source><translation>不使用 FP8 的线性层</translation></message>
    <message><source>Lines such as `gpu-a slots=8`</source><translation>形如 `gpu-a slots=8` 的行</translation></message>
    <message><source>Load once</source><translation>加载一次</translation></message>
    <message><source>Local</source><translation>本地</translation></message>
    <message><source>Log folder</source><translation>日志文件夹</translation></message>
    <message><source>Longer is steadier</source><translation>越长越稳定</translation></message>
    <message><source>Look at everything on all machines that a start needs, print it as a table, start nothing</source><translation>查看所有机器上启动所需的一切并以表格输出，不启动任何进程</translation></message>
    <message><source>Looks</source><translation>查看</translation></message>
    <message><source>Loss per token</source><translation>每 token 的损失</translation></message>
    <message><source>MLU ids</source><translation>MLU 编号</translation></message>
    <message><source>MUSA ids</source><translation>MUSA 编号</translation></message>
    <message><source>Machine rank</source><translation>机器 rank</translation></message>
    <message><source>Machine type</source><translation>机器类型</translation></message>
    <message><source>Machines</source><translation>机器</translation></message>
    <message><source>Machines that take part</source><translation>参与的机器</translation></message>
    <message><source>Main address</source><translation>主地址</translation></message>
    <message><source>Main function</source><translation>主函数</translation></message>
    <message><source>Main port</source><translation>主端口</translation></message>
    <message><source>Many CPUs</source><translation>多个 CPU</translation></message>
    <message><source>Many GPUs</source><translation>多个 GPU</translation></message>
    <message><source>Many HPUs</source><translation>多个 HPU</translation></message>
    <message><source>Many MLUs</source><translation>多个 MLU</translation></message>
    <message><source>Many MUSAs</source><translation>多个 MUSA</translation></message>
    <message><source>Many NPUs</source><translation>多个 NPU</translation></message>
    <message><source>Many Neuron cores</source><translation>多个 Neuron 核心</translation></message>
    <message><source>Many SDAAs</source><translation>多个 SDAA</translation></message>
    <message><source>Many XPUs</source><translation>多个 XPU</translation></message>
    <message><source>Many hosts</source><translation>多台主机</translation></message>
    <message><source>Margin</source><translation>余量</translation></message>
    <message><source>Megatron&apos;s FSDP</source><translation>Megatron 的 FSDP</translation></message>
    <message><source>Megatron-LM</source><translation>Megatron-LM</translation></message>
    <message><source>Mesh</source><translation>设备网格</translation></message>
    <message><source>Metrics</source><translation>指标</translation></message>
    <message><source>Metrics are usually better without</source><translation>不启用时指标通常更好</translation></message>
    <message><source>Micro batches</source><translation>micro-batch</translation></message>
    <message><source>Micro batches of one optimizer step</source><translation>一个优化器步中的 micro-batch</translation></message>
    <message><source>Micro steps whose gradients make one optimizer step; `auto` leaves it to the script</source><translation>梯度合为一个优化器步的微步数；`auto` 由脚本决定</translation></message>
    <message><source>Microsoft</source><translation>微软</translation></message>
    <message><source>Mixed precision</source><translation>混合精度</translation></message>
    <message><source>Mixture-of-experts layers</source><translation>混合专家层</translation></message>
    <message><source>MoE layers</source><translation>MoE 层</translation></message>
    <message><source>Mode</source><translation>模式</translation></message>
    <message><source>Mode, full graph, dynamic shapes, regions</source><translation>模式、完整图、动态形状、区域</translation></message>
    <message><source>Model&apos;s own layers</source><translation>模型自己的层</translation></message>
    <message><source>Models of transformers name theirs</source><translation>transformers 的模型会给出</translation></message>
    <message><source>Module</source><translation>模块</translation></message>
    <message><source>Modules left out</source><translation>排除的模块</translation></message>
    <message><source>Modules with at least so many parameters are units</source><translation>参数量不少于此值的模块作为单元</translation></message>
    <message><source>Moore Threads</source><translation>摩尔线程</translation></message>
    <message><source>More arguments</source><translation>其他参数</translation></message>
    <message><source>More fill the pipeline better</source><translation>越多越能填满流水线</translation></message>
    <message><source>More than 1 for training across hosts</source><translation>跨主机训练时大于 1</translation></message>
    <message><source>Move gradients and parameters while the optimizer on the CPU steps</source><translation>CPU 上的优化器更新时传输梯度和参数</translation></message>
    <message><source>Much shorter compilation for stacked layers</source><translation>对堆叠的层编译时间短得多</translation></message>
    <message><source>NAME=value, with commas</source><translation>NAME=value，以逗号分隔</translation></message>
    <message><source>NEURON cores</source><translation>NEURON 核心</translation></message>
    <message><source>NPU ids</source><translation>NPU 编号</translation></message>
    <message><source>NUMA affinity</source><translation>NUMA 亲和性</translation></message>
    <message><source>NVMe disk</source><translation>NVMe 磁盘</translation></message>
    <message><source>NVMe for the optimizer state</source><translation>优化器状态用的 NVMe</translation></message>
    <message><source>NVMe for the parameters</source><translation>参数用的 NVMe</translation></message>
    <message><source>Name of a function of the script</source><translation>脚本中函数的名称</translation></message>
    <message><source>Name of the TPU in Google Cloud</source><translation>Google Cloud 中 TPU 的名称</translation></message>
    <message><source>Name of the profile in ~/.aws; without it, an access key is needed</source><translation>~/.aws 中配置文件的名称；没有则需要访问密钥</translation></message>
    <message><source>Name of the workers in torchrun&apos;s messages</source><translation>torchrun 消息中 worker 的名称</translation></message>
    <message><source>Name under which the machines of a job find each other</source><translation>作业的各机器用来彼此发现的名称</translation></message>
    <message><source>Named nodes</source><translation>指定节点</translation></message>
    <message><source>Names of the machines of a TPU pod</source><translation>TPU pod 各机器的名称</translation></message>
    <message><source>Names the machines, one a line</source><translation>每行一个机器名</translation></message>
    <message><source>Needed for different learning rates and torch.compile</source><translation>使用不同学习率和 torch.compile 时需要</translation></message>
    <message><source>Needed when processes could start with different weights</source><translation>进程可能以不同权重开始时需要</translation></message>
    <message><source>Neuron core ids</source><translation>Neuron 核心编号</translation></message>
    <message><source>No Python</source><translation>不用 Python</translation></message>
    <message><source>No loss at document ends</source><translation>文档结尾不计损失</translation></message>
    <message><source>No pod</source><translation>非 pod</translation></message>
    <message><source>No requeue</source><translation>不重新排队</translation></message>
    <message><source>No run folder</source><translation>无运行文件夹</translation></message>
    <message><source>No when they are in different networks or in a cloud</source><translation>位于不同网络或云中时选否</translation></message>
    <message><source>Nodes</source><translation>节点</translation></message>
    <message><source>Nodes of the job</source><translation>作业的节点</translation></message>
    <message><source>Nodes that the job must have</source><translation>作业必须使用的节点</translation></message>
    <message><source>None</source><translation>无</translation></message>
    <message><source>Not ahead</source><translation>不预取</translation></message>
    <message><source>Not at all</source><translation>完全不</translation></message>
    <message><source>Not its ARN</source><translation>不是其 ARN</translation></message>
    <message><source>Not on all workers of a pod: what a pod&apos;s worker is started with</source><translation>不在 pod 的所有 worker 上：用于启动 pod 中单个 worker</translation></message>
    <message><source>Nowhere</source><translation>不卸载</translation></message>
    <message><source>Number format of the computation; weights stay in their own format</source><translation>计算的数值格式；权重保持各自格式</translation></message>
    <message><source>Number format of the matrix products</source><translation>矩阵乘法的数值格式</translation></message>
    <message><source>Number of this machine</source><translation>本机的编号</translation></message>
    <message><source>O1: FP8 gradients, O2: also FP8 optimizer state</source><translation>O1：FP8 梯度，O2：优化器状态也用 FP8</translation></message>
    <message><source>O2 keeps optimizer states in 8 bits too</source><translation>O2 的优化器状态也用 8 位</translation></message>
    <message><source>Of that EC2 type</source><translation>该 EC2 类型的</translation></message>
    <message><source>Offload to the CPU</source><translation>卸载到 CPU</translation></message>
    <message><source>On TPU with bf16: also compute double precision in bf16; else double becomes single precision</source><translation>TPU 上使用 bf16 时：双精度也以 bf16 计算；否则双精度变为单精度</translation></message>
    <message><source>On a fast local disk</source><translation>在快速的本地磁盘上</translation></message>
    <message><source>On machines of one&apos;s own or on Amazon SageMaker</source><translation>在自有机器上或在 Amazon SageMaker 中</translation></message>
    <message><source>One GPU</source><translation>单个 GPU</translation></message>
    <message><source>One a line</source><translation>每行一个</translation></message>
    <message><source>One device</source><translation>单个设备</translation></message>
    <message><source>One graph</source><translation>单一图</translation></message>
    <message><source>One network</source><translation>同一网络</translation></message>
    <message><source>One process for each accelerator, of any maker</source><translation>每个加速器一个进程，不限厂商</translation></message>
    <message><source>One process for each device, counted over all machines</source><translation>每个设备一个进程，按所有机器合计</translation></message>
    <message><source>One process on one GPU, bf16</source><translation>单个 GPU 上一个进程，bf16</translation></message>
    <message><source>One scale per block of 32 values (MXFP8)</source><translation>每 32 个值一块共用一个缩放（MXFP8）</translation></message>
    <message><source>One that exists</source><translation>已存在的</translation></message>
    <message><source>Only for models whose order never changes</source><translation>仅用于顺序从不变化的模型</translation></message>
    <message><source>Only the first process reads the weights, the others receive them; saves main memory</source><translation>仅第一个进程读取权重，其余进程接收；节省主内存</translation></message>
    <message><source>Open MPI</source><translation>Open MPI</translation></message>
    <message><source>Optimisation level</source><translation>优化级别</translation></message>
    <message><source>Optimizer folder</source><translation>优化器文件夹</translation></message>
    <message><source>Optimizer offload</source><translation>优化器卸载</translation></message>
    <message><source>Optimizer on the CPU</source><translation>优化器在 CPU 上</translation></message>
    <message><source>Optimizer state in</source><translation>优化器状态位于</translation></message>
    <message><source>Original parameters</source><translation>原始参数</translation></message>
    <message><source>Output that goes to the log folder only: 0 none, 1 stdout, 2 stderr, 3 both, or `rank:number,...`</source><translation>只写入日志文件夹的输出：0 无，1 stdout，2 stderr，3 两者，或 `rank:number,...`</translation></message>
    <message><source>Output that is shown as well as logged: 0 none, 1 stdout, 2 stderr, 3 both, or `rank:number,...`</source><translation>既显示又记录的输出：0 无，1 stdout，2 stderr，3 两者，或 `rank:number,...`</translation></message>
    <message><source>Overlap transfers</source><translation>重叠传输</translation></message>
    <message><source>Own compile options</source><translation>自定义编译选项</translation></message>
    <message><source>Pad</source><translation>填充</translation></message>
    <message><source>Pad inner dimension</source><translation>填充内部维度</translation></message>
    <message><source>Parameter folder</source><translation>参数文件夹</translation></message>
    <message><source>Parameter offload</source><translation>参数卸载</translation></message>
    <message><source>Parameters in</source><translation>参数位于</translation></message>
    <message><source>Partition</source><translation>分区</translation></message>
    <message><source>Partition of the cluster</source><translation>集群的分区</translation></message>
    <message><source>Parts of a batch on their way in the pipeline</source><translation>流水线中传递的批次分块</translation></message>
    <message><source>Pins processes to the cores beside their GPU; NVIDIA only</source><translation>将进程绑定到其 GPU 旁的核心；仅限 NVIDIA</translation></message>
    <message><source>Pipeline parallel</source><translation>流水线并行</translation></message>
    <message><source>Place of this machine among all, from 0; the machine with 0 hosts the main process</source><translation>本机在所有机器中的序号，从 0 开始；0 号机器承载主进程</translation></message>
    <message><source>Port of the main machine</source><translation>主机器的端口</translation></message>
    <message><source>Port on which the processes meet; 0 picks a free one</source><translation>进程会合的端口；0 表示选择空闲端口</translation></message>
    <message><source>Powers of two by which the scale stays below the largest value</source><translation>缩放低于最大值的 2 的幂次</translation></message>
    <message><source>Powers of two kept free above the largest value</source><translation>最大值之上保留的 2 的幂次</translation></message>
    <message><source>Precision-aware optimizer</source><translation>精度感知优化器</translation></message>
    <message><source>Print for programs</source><translation>供程序读取的输出</translation></message>
    <message><source>Processes</source><translation>进程</translation></message>
    <message><source>Processes of a node</source><translation>每个节点的进程</translation></message>
    <message><source>Processes of this machine whose output is shown, as in `0,2`; without it all</source><translation>显示其输出的本机进程，例如 `0,2`；不填则全部</translation></message>
    <message><source>Processes on each node of the job</source><translation>作业中每个节点的进程数</translation></message>
    <message><source>Processes over all machines together, one for each device</source><translation>所有机器的进程总数，每个设备一个</translation></message>
    <message><source>Processes that parameters are sharded over</source><translation>切分参数的进程数</translation></message>
    <message><source>Processes that share a matrix product</source><translation>共同计算一个矩阵乘法的进程数</translation></message>
    <message><source>Processes that share each expert</source><translation>共享每个专家的进程数</translation></message>
    <message><source>Processes that share each layer</source><translation>共享每一层的进程数</translation></message>
    <message><source>Processes that share each sequence</source><translation>共享每个序列的进程数</translation></message>
    <message><source>Processes that share each sequence by ring attention</source><translation>以环形注意力共享每个序列的进程数</translation></message>
    <message><source>Processes that share each sequence, with attention split by heads (Ulysses)</source><translation>共享每个序列、按头切分注意力（Ulysses）的进程数</translation></message>
    <message><source>Processes that the experts are spread over</source><translation>分布专家的进程数</translation></message>
    <message><source>Profile</source><translation>配置文件</translation></message>
    <message><source>PyTorch</source><translation>PyTorch</translation></message>
    <message><source>Python</source><translation>Python</translation></message>
    <message><source>Python scripts only; the bundled engine needs no compiler</source><translation>仅限 Python 脚本；内置引擎不需要编译器</translation></message>
    <message><source>Quality of service</source><translation>服务质量</translation></message>
    <message><source>Quality of service of the job</source><translation>作业的服务质量</translation></message>
    <message><source>Queue</source><translation>排队</translation></message>
    <message><source>Quiet</source><translation>安静</translation></message>
    <message><source>RAM-efficient loading</source><translation>节省内存的加载</translation></message>
    <message><source>Recipe key</source><translation>配方键</translation></message>
    <message><source>Recompute activations</source><translation>重新计算激活</translation></message>
    <message><source>Recompute how</source><translation>重新计算方式</translation></message>
    <message><source>Recompute layers</source><translation>重新计算层</translation></message>
    <message><source>Recompute what</source><translation>重新计算内容</translation></message>
    <message><source>Recomputes activations: less memory, a third more time</source><translation>重新计算激活：内存更少，时间多三分之一</translation></message>
    <message><source>Redirected output</source><translation>重定向的输出</translation></message>
    <message><source>Refuse models that do not compile as one graph</source><translation>拒绝不能编译为单一图的模型</translation></message>
    <message><source>Region</source><translation>区域</translation></message>
    <message><source>Regional compilation</source><translation>区域编译</translation></message>
    <message><source>Regular expression; modules whose whole name matches are not sharded</source><translation>正则表达式；全名匹配的模块不分片</translation></message>
    <message><source>Rendezvous</source><translation>会合</translation></message>
    <message><source>Rendezvous name</source><translation>会合名称</translation></message>
    <message><source>Rendezvous settings</source><translation>会合设置</translation></message>
    <message><source>Replicas</source><translation>副本</translation></message>
    <message><source>Replicas, shards, tensor and context parallelism together</source><translation>副本、分片、张量并行与上下文并行结合</translation></message>
    <message><source>Reshard after forward</source><translation>前向后重新分片</translation></message>
    <message><source>Restarts</source><translation>重启</translation></message>
    <message><source>Return as soon as the processes run</source><translation>进程运行后立即返回</translation></message>
    <message><source>Role</source><translation>角色</translation></message>
    <message><source>Role name</source><translation>角色名称</translation></message>
    <message><source>Role that SageMaker works with</source><translation>SageMaker 使用的角色</translation></message>
    <message><source>Rotary positions</source><translation>旋转位置</translation></message>
    <message><source>Run folder</source><translation>运行文件夹</translation></message>
    <message><source>Run the commands on the pod&apos;s workers with sudo</source><translation>在 pod 的 worker 上以 sudo 运行命令</translation></message>
    <message><source>SDAA ids</source><translation>SDAA 编号</translation></message>
    <message><source>SageMaker&apos;s own data parallelism</source><translation>SageMaker 自己的数据并行</translation></message>
    <message><source>Same network</source><translation>同一网络</translation></message>
    <message><source>Save 16-bit weights</source><translation>保存 16 位权重</translation></message>
    <message><source>Scale from</source><translation>缩放取自</translation></message>
    <message><source>Script</source><translation>脚本</translation></message>
    <message><source>Seconds between two looks at the processes</source><translation>两次查看进程之间的秒数</translation></message>
    <message><source>Secret key</source><translation>私密密钥</translation></message>
    <message><source>Secret key of AWS; everybody on this machine sees it among the processes, so better use a profile</source><translation>AWS 私密密钥；本机所有人都能在进程列表中看到，最好使用配置文件</translation></message>
    <message><source>Sequence length</source><translation>序列长度</translation></message>
    <message><source>Sequence parallel</source><translation>序列并行</translation></message>
    <message><source>Sequence-parallel library</source><translation>序列并行库</translation></message>
    <message><source>Sequences differ in length from batch to batch</source><translation>各批次的序列长度不同</translation></message>
    <message><source>Settings file</source><translation>设置文件</translation></message>
    <message><source>Settings of the rendezvous, as in `timeout=900,read=60`</source><translation>会合的设置，例如 `timeout=900,read=60`</translation></message>
    <message><source>Several devices</source><translation>多个设备</translation></message>
    <message><source>Shard parameters with Megatron&apos;s own FSDP</source><translation>使用 Megatron 自己的 FSDP 切分参数</translation></message>
    <message><source>Sharded</source><translation>分片</translation></message>
    <message><source>Sharded is faster; full is one file</source><translation>分片更快；完整则为一个文件</translation></message>
    <message><source>Sharding strategy</source><translation>分片策略</translation></message>
    <message><source>Shards</source><translation>分片数</translation></message>
    <message><source>Shards optimizer states over data-parallel processes</source><translation>在数据并行进程间切分优化器状态</translation></message>
    <message><source>Shards optimizer states, gradients and weights; offloads them</source><translation>切分优化器状态、梯度和权重；可卸载</translation></message>
    <message><source>Share of attention weights left out</source><translation>丢弃的注意力权重比例</translation></message>
    <message><source>Share of hidden values left out</source><translation>丢弃的隐藏值比例</translation></message>
    <message><source>Shared library that brings a device to LibTorch (a PrivateUse1 back end); else TRAINYARD_DEVICE_LIBRARY</source><translation>为 LibTorch 提供设备的共享库（PrivateUse1 后端）；否则取 TRAINYARD_DEVICE_LIBRARY</translation></message>
    <message><source>Show output</source><translation>显示输出</translation></message>
    <message><source>Show the optimizer the model&apos;s own parameters, so that groups and frozen layers work</source><translation>让优化器看到模型自己的参数，使参数组和冻结层可用</translation></message>
    <message><source>Shown processes</source><translation>显示的进程</translation></message>
    <message><source>Sign-in</source><translation>登录</translation></message>
    <message><source>Softmax in fp32</source><translation>fp32 的 softmax</translation></message>
    <message><source>Splits norms and dropout along the sequence</source><translation>沿序列切分归一化和 dropout</translation></message>
    <message><source>Spread norms and dropout over the tensor-parallel processes</source><translation>将归一化和 dropout 分布到张量并行进程</translation></message>
    <message><source>Spread the optimizer state over the data-parallel processes</source><translation>将优化器状态分布到数据并行进程</translation></message>
    <message><source>Stages that the layers are spread over</source><translation>分布各层的阶段数</translation></message>
    <message><source>Start-up commands</source><translation>启动命令</translation></message>
    <message><source>State dict</source><translation>状态字典</translation></message>
    <message><source>Steps between two computations of the scale</source><translation>两次计算缩放之间的步数</translation></message>
    <message><source>Steps whose largest values decide the scale</source><translation>由其最大值决定缩放的步数</translation></message>
    <message><source>Stored with its full path</source><translation>以完整路径保存</translation></message>
    <message><source>Strategy</source><translation>策略</translation></message>
    <message><source>Sync module states</source><translation>同步模块状态</translation></message>
    <message><source>TPU cluster</source><translation>TPU 集群</translation></message>
    <message><source>TPU environment</source><translation>TPU 环境</translation></message>
    <message><source>TPU machines</source><translation>TPU 机器</translation></message>
    <message><source>TPU name</source><translation>TPU 名称</translation></message>
    <message><source>TPU pod</source><translation>TPU pod</translation></message>
    <message><source>TPU zone</source><translation>TPU 可用区</translation></message>
    <message><source>TSV file with a header: channel name and location of the data</source><translation>带表头的 TSV 文件：通道名称和数据位置</translation></message>
    <message><source>TSV file with a header: metric name and regular expression</source><translation>带表头的 TSV 文件：指标名称和正则表达式</translation></message>
    <message><source>Tecorigin</source><translation>太初元碁</translation></message>
    <message><source>Tensor parallel</source><translation>张量并行</translation></message>
    <message><source>Tensor parallel of experts</source><translation>专家的张量并行</translation></message>
    <message><source>Tensor, pipeline and sequence parallelism of Megatron</source><translation>Megatron 的张量、流水线和序列并行</translation></message>
    <message><source>The TPU is a pod; the launch goes to all its workers</source><translation>TPU 是一个 pod；启动发往其所有 worker</translation></message>
    <message><source>The firewalls between the machines must let it through</source><translation>机器之间的防火墙必须放行</translation></message>
    <message><source>The largest or the most recent one</source><translation>最大的或最新的</translation></message>
    <message><source>The product needs multiples of 16; costs memory</source><translation>乘法需要 16 的倍数；占用内存</translation></message>
    <message><source>The program is a Python module, as with python -m</source><translation>程序是 Python 模块，同 python -m</translation></message>
    <message><source>The program is executed itself, without Python</source><translation>直接执行程序本身，不用 Python</translation></message>
    <message><source>The run&apos;s own folder, new or empty; else a new one in TRAINYARD_RUNS</source><translation>运行自己的文件夹，新的或空的；否则在 TRAINYARD_RUNS 中新建</translation></message>
    <message><source>The same from a file: one `name slots=4` a line, as DeepSpeed reads it</source><translation>同上，取自文件：每行一个 `name slots=4`，与 DeepSpeed 的格式相同</translation></message>
    <message><source>Then it says everything and the next questions are skipped</source><translation>此时以其为准，后续问题略过</translation></message>
    <message><source>This machine</source><translation>本机</translation></message>
    <message><source>This machine and others you reach, or jobs in Amazon SageMaker</source><translation>本机及可访问的其他机器，或 Amazon SageMaker 中的作业</translation></message>
    <message><source>Threads for the processor&apos;s part of the work; without it the cores are shared out</source><translation>处理器部分工作的线程数；不填则平分核心</translation></message>
    <message><source>Threads of a process</source><translation>每个进程的线程</translation></message>
    <message><source>Three truth values: forward, gradient of the input, gradient of the weight in higher precision</source><translation>三个布尔值：前向、输入梯度、权重梯度是否使用更高精度</translation></message>
    <message><source>Time</source><translation>时间</translation></message>
    <message><source>Time limit of the job, as in 1-12:00:00</source><translation>作业的时限，例如 1-12:00:00</translation></message>
    <message><source>Train on a TPU</source><translation>在 TPU 上训练</translation></message>
    <message><source>Train on a mesh of several kinds of parallelism</source><translation>在多种并行方式组成的设备网格上训练</translation></message>
    <message><source>Train on the CPU even where an accelerator is</source><translation>即使有加速器也在 CPU 上训练</translation></message>
    <message><source>Train on the CPU; the default settings file is not read</source><translation>在 CPU 上训练；不读取默认设置文件</translation></message>
    <message><source>Train with DeepSpeed</source><translation>使用 DeepSpeed 训练</translation></message>
    <message><source>Train with Megatron-LM</source><translation>使用 Megatron-LM 训练</translation></message>
    <message><source>Train with fully sharded data parallelism</source><translation>使用完全分片数据并行（FSDP）训练</translation></message>
    <message><source>Training function</source><translation>训练函数</translation></message>
    <message><source>Transformer Engine</source><translation>Transformer Engine</translation></message>
    <message><source>Transformers</source><translation>Transformers</translation></message>
    <message><source>Two machines with GPUs; their number, address and processes are yours to say</source><translation>两台带 GPU 的机器；数量、地址和进程数由您填写</translation></message>
    <message><source>Two processes on the CPU: finds out whether a script runs distributed, without a GPU</source><translation>CPU 上两个进程：无需 GPU 即可检验脚本能否分布式运行</translation></message>
    <message><source>Types that SageMaker&apos;s data parallelism runs on</source><translation>SageMaker 数据并行支持的类型</translation></message>
    <message><source>Unit size</source><translation>单元大小</translation></message>
    <message><source>Use FP8 outside of training, too</source><translation>训练之外也使用 FP8</translation></message>
    <message><source>Use mpirun</source><translation>使用 mpirun</translation></message>
    <message><source>Use rotary position embeddings</source><translation>使用旋转位置嵌入</translation></message>
    <message><source>Used by stage 3 only</source><translation>仅阶段 3 使用</translation></message>
    <message><source>Version</source><translation>版本</translation></message>
    <message><source>Version of PyTorch in the container</source><translation>容器中 PyTorch 的版本</translation></message>
    <message><source>Version of Python in the container, e.g. py38</source><translation>容器中 Python 的版本，例如 py38</translation></message>
    <message><source>Version of Transformers in the container</source><translation>容器中 Transformers 的版本</translation></message>
    <message><source>Wait until the runs queued before have started and the machine, or the GPUs, are free</source><translation>等待先前排队的运行启动，且机器或 GPU 空闲</translation></message>
    <message><source>Way of training</source><translation>训练方式</translation></message>
    <message><source>Weight gradient</source><translation>权重梯度</translation></message>
    <message><source>Weights, gradients and optimizer states, natively in PyTorch</source><translation>权重、梯度和优化器状态，PyTorch 原生支持</translation></message>
    <message><source>What becomes a unit of sharding: given layer classes, modules above a size, or the whole model</source><translation>分片单元的划分：指定的层类、超过某大小的模块，或整个模型</translation></message>
    <message><source>What is sharded over the processes</source><translation>在进程间切分的内容</translation></message>
    <message><source>What is sharded, and over which processes</source><translation>切分什么，以及切分到哪些进程</translation></message>
    <message><source>What is spread over the processes: parameters, gradients and optimizer state, or less</source><translation>在进程间切分的内容：参数、梯度和优化器状态，或更少</translation></message>
    <message><source>What the compiler optimises for</source><translation>编译器的优化目标</translation></message>
    <message><source>What the compiler spends its time on</source><translation>编译器把时间花在哪里</translation></message>
    <message><source>What the processes of a run compute on</source><translation>运行的进程在什么设备上计算</translation></message>
    <message><source>When the next parameters are gathered in the backward pass</source><translation>反向传播中何时聚合后续参数</translation></message>
    <message><source>Where it runs</source><translation>运行位置</translation></message>
    <message><source>Where the jobs run</source><translation>作业运行的位置</translation></message>
    <message><source>Where the optimizer state is kept: `none` leaves it on the device</source><translation>优化器状态的位置：`none` 表示留在设备上</translation></message>
    <message><source>Where the parameters are kept: `none` leaves them on the device</source><translation>参数的位置：`none` 表示留在设备上</translation></message>
    <message><source>Who splits the context</source><translation>由谁切分上下文</translation></message>
    <message><source>Who splits the sequence</source><translation>由谁切分序列</translation></message>
    <message><source>Whole checkpoints of rank 0, or one part of each process</source><translation>由 rank 0 保存完整 checkpoint，或每个进程保存一部分</translation></message>
    <message><source>With FSDP 2: gather parameters as FP8</source><translation>使用 FSDP 2 时：以 FP8 聚合参数</translation></message>
    <message><source>With commas, upper and lower case as in the model</source><translation>以逗号分隔，大小写与模型一致</translation></message>
    <message><source>With commas, upper and lower case as in the model: LlamaDecoderLayer</source><translation>以逗号分隔，大小写与模型一致：LlamaDecoderLayer</translation></message>
    <message><source>With commas; nothing for an instance group</source><translation>以逗号分隔；实例组则留空</translation></message>
    <message><source>With keys, launch reads AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY</source><translation>使用密钥时，launch 读取 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY</translation></message>
    <message><source>With sudo</source><translation>使用 sudo</translation></message>
    <message><source>Without optimizer when loading</source><translation>加载时不含优化器</translation></message>
    <message><source>Without optimizer when saving</source><translation>保存时不含优化器</translation></message>
    <message><source>Wrap policy</source><translation>包装策略</translation></message>
    <message><source>Wrapping</source><translation>包装</translation></message>
    <message><source>Write a bash script that starts the same processes where no Trainyard is, as in a notebook; start nothing</source><translation>写出一个 bash 脚本，在没有 Trainyard 的地方（如 notebook）启动相同进程；不启动任何进程</translation></message>
    <message><source>XLA devices</source><translation>XLA 设备</translation></message>
    <message><source>XPU ids</source><translation>XPU 编号</translation></message>
    <message><source>Yes saves memory (ZeRO-3), no saves traffic (ZeRO-2)</source><translation>是则节省内存（ZeRO-3），否则节省通信（ZeRO-2）</translation></message>
    <message><source>ZeRO stage</source><translation>ZeRO 阶段</translation></message>
    <message><source>ZeRO-3 with offload</source><translation>带卸载的 ZeRO-3</translation></message>
    <message><source>Zone</source><translation>可用区</translation></message>
    <message><source>Zone of the TPU in Google Cloud</source><translation>Google Cloud 中 TPU 所在的可用区</translation></message>
    <message><source>`all`, or the numbers of the devices of this machine, as in `0,2,3`</source><translation>`all`，或本机设备的编号，例如 `0,2,3`</translation></message>
    <message><source>`all`, or the numbers of the devices, as in `0,2,3`</source><translation>`all`，或设备的编号，例如 `0,2,3`</translation></message>
    <message><source>`full` computes whole layers again, `selective` only the attention</source><translation>`full` 重新计算整个层，`selective` 只重新计算注意力</translation></message>
    <message><source>`uniform` groups all layers, `block` takes the first layers of each stage</source><translation>`uniform` 对所有层分组，`block` 取每个阶段的前几层</translation></message>
    <message><source>a balance</source><translation>折中</translation></message>
    <message><source>all, or their numbers with commas: 0,1</source><translation>all，或以逗号分隔的编号：0,1</translation></message>
    <message><source>allgather collects all keys and values, alltoall passes them around</source><translation>allgather 聚合所有 key 和 value，alltoall 轮流传递</translation></message>
    <message><source>and machines it works together with</source><translation>以及与其协作的机器</translation></message>
    <message><source>as stored on each rank</source><translation>按各 rank 上的原样</translation></message>
    <message><source>backend is AO</source><translation>backend 为 AO</translation></message>
    <message><source>backend is MSAMP</source><translation>backend 为 MSAMP</translation></message>
    <message><source>backend is TE</source><translation>backend 为 TE</translation></message>
    <message><source>distributed_type is DEEPSPEED</source><translation>distributed_type 为 DEEPSPEED</translation></message>
    <message><source>distributed_type is FSDP</source><translation>distributed_type 为 FSDP</translation></message>
    <message><source>distributed_type is FSDP with version 2, or DEEPSPEED</source><translation>distributed_type 为 FSDP 版本 2，或 DEEPSPEED</translation></message>
    <message><source>distributed_type is MEGATRON_LM</source><translation>distributed_type 为 MEGATRON_LM</translation></message>
    <message><source>distributed_type is MULTI_CPU</source><translation>distributed_type 为 MULTI_CPU</translation></message>
    <message><source>distributed_type is XLA</source><translation>distributed_type 为 XLA</translation></message>
    <message><source>dynamo_backend is not NO</source><translation>dynamo_backend 不为 NO</translation></message>
    <message><source>each rank writes its share</source><translation>每个 rank 写出自己的部分</translation></message>
    <message><source>everything in float32</source><translation>全部使用 float32</translation></message>
    <message><source>fastest code, longest compilation</source><translation>代码最快，编译最久</translation></message>
    <message><source>fastest, most memory</source><translation>最快，占用内存最多</translation></message>
    <message><source>float8 all-gather</source><translation>float8 all-gather</translation></message>
    <message><source>follows from RAM-efficient loading, and not in FSDP version 2</source><translation>由节省内存的加载决定，FSDP 版本 2 中没有</translation></message>
    <message><source>follows from the machine type</source><translation>由机器类型决定</translation></message>
    <message><source>from the environment when launching</source><translation>启动时取自环境</translation></message>
    <message><source>fsdp_activation_checkpointing is true</source><translation>fsdp_activation_checkpointing 为 true</translation></message>
    <message><source>fsdp_auto_wrap_policy is SIZE_BASED_WRAP</source><translation>fsdp_auto_wrap_policy 为 SIZE_BASED_WRAP</translation></message>
    <message><source>fsdp_auto_wrap_policy is TRANSFORMER_BASED_WRAP</source><translation>fsdp_auto_wrap_policy 为 TRANSFORMER_BASED_WRAP</translation></message>
    <message><source>fsdp_version is 1</source><translation>fsdp_version 为 1</translation></message>
    <message><source>fsdp_version is 2</source><translation>fsdp_version 为 2</translation></message>
    <message><source>full inside a machine, replicas across</source><translation>单机内完全切分，跨机为副本</translation></message>
    <message><source>give its name</source><translation>给出其名称</translation></message>
    <message><source>gradients and optimizer inside a machine</source><translation>单机内的梯度和优化器</translation></message>
    <message><source>hosts the main process</source><translation>承载主进程</translation></message>
    <message><source>inductor unless you know better</source><translation>没有更好的选择时用 inductor</translation></message>
    <message><source>it does not train on the CPU</source><translation>不在 CPU 上训练</translation></message>
    <message><source>jobs in the AWS cloud</source><translation>AWS 云中的作业</translation></message>
    <message><source>key=value for the recipe, e.g. training.steps=100</source><translation>配方的 key=value，例如 training.steps=100</translation></message>
    <message><source>least memory</source><translation>内存最少</translation></message>
    <message><source>less memory, PyTorch 2.6 or newer</source><translation>内存更少，需 PyTorch 2.6 或更新版本</translation></message>
    <message><source>megatron_lm_pp_degree is above 1</source><translation>megatron_lm_pp_degree 大于 1</translation></message>
    <message><source>megatron_lm_tp_degree is above 1</source><translation>megatron_lm_tp_degree 大于 1</translation></message>
    <message><source>mixed_precision is fp8</source><translation>mixed_precision 为 fp8</translation></message>
    <message><source>needs a loss scale</source><translation>需要损失缩放</translation></message>
    <message><source>newest GPUs with an FP8 library</source><translation>最新 GPU 及 FP8 库</translation></message>
    <message><source>not for Amazon SageMaker</source><translation>不适用于 Amazon SageMaker</translation></message>
    <message><source>not for CPUs, TPUs and Apple GPUs</source><translation>不适用于 CPU、TPU 和 Apple GPU</translation></message>
    <message><source>nothing</source><translation>无</translation></message>
    <message><source>num_machines is above 1</source><translation>num_machines 大于 1</translation></message>
    <message><source>of ~/.aws</source><translation>来自 ~/.aws</translation></message>
    <message><source>offload_optimizer_device is nvme</source><translation>offload_optimizer_device 为 nvme</translation></message>
    <message><source>offload_param_device is nvme</source><translation>offload_param_device 为 nvme</translation></message>
    <message><source>one device is one process</source><translation>一个设备即一个进程</translation></message>
    <message><source>one device needs one machine only</source><translation>一个设备只需一台机器</translation></message>
    <message><source>one file, gathered on rank 0</source><translation>一个文件，聚合到 rank 0</translation></message>
    <message><source>one machine</source><translation>一台机器</translation></message>
    <message><source>one process has no distributed operations</source><translation>单个进程没有分布式操作</translation></message>
    <message><source>one process, nothing distributed</source><translation>单个进程，不分布</translation></message>
    <message><source>one unit</source><translation>一个单元</translation></message>
    <message><source>one unit for each transformer layer</source><translation>每个 transformer 层一个单元</translation></message>
    <message><source>oneCCL workers</source><translation>oneCCL worker</translation></message>
    <message><source>only for Amazon SageMaker</source><translation>仅用于 Amazon SageMaker</translation></message>
    <message><source>only for DeepSpeed on several machines</source><translation>仅用于多台机器上的 DeepSpeed</translation></message>
    <message><source>only for DeepSpeed on several machines, not with the standard launcher</source><translation>仅用于多台机器上的 DeepSpeed，不含 standard 启动器</translation></message>
    <message><source>only for FP8 with MS-AMP</source><translation>仅用于 MS-AMP 的 FP8</translation></message>
    <message><source>only for FP8 with Transformer Engine</source><translation>仅用于 Transformer Engine 的 FP8</translation></message>
    <message><source>only for FP8 with torchao</source><translation>仅用于 torchao 的 FP8</translation></message>
    <message><source>only for GPUs without DeepSpeed, FSDP and Megatron-LM</source><translation>仅用于不含 DeepSpeed、FSDP 和 Megatron-LM 的 GPU</translation></message>
    <message><source>only for TPUs</source><translation>仅用于 TPU</translation></message>
    <message><source>only for ZeRO stage 3</source><translation>仅用于 ZeRO 阶段 3</translation></message>
    <message><source>only for ZeRO stages 2 and 3</source><translation>仅用于 ZeRO 阶段 2 和 3</translation></message>
    <message><source>only for a TPU cluster</source><translation>仅用于 TPU 集群</translation></message>
    <message><source>only for a distributed job</source><translation>仅用于分布式作业</translation></message>
    <message><source>only for a job on one machine</source><translation>仅用于单机作业</translation></message>
    <message><source>only for a role of your own</source><translation>仅用于自定义角色</translation></message>
    <message><source>only for accelerators without DeepSpeed</source><translation>仅用于不含 DeepSpeed 的加速器</translation></message>
    <message><source>only for accelerators without DeepSpeed, FSDP and Megatron-LM</source><translation>仅用于不含 DeepSpeed、FSDP 和 Megatron-LM 的加速器</translation></message>
    <message><source>only for many CPUs</source><translation>仅用于多个 CPU</translation></message>
    <message><source>only for many GPUs without DeepSpeed and FSDP</source><translation>仅用于不含 DeepSpeed 和 FSDP 的多个 GPU</translation></message>
    <message><source>only when gradients are clipped</source><translation>仅当裁剪梯度时</translation></message>
    <message><source>only when optimizer states go to NVMe</source><translation>仅当优化器状态存到 NVMe 时</translation></message>
    <message><source>only when parameters go to NVMe</source><translation>仅当参数存到 NVMe 时</translation></message>
    <message><source>only when signing in with a profile</source><translation>仅当以配置文件登录时</translation></message>
    <message><source>only when some matrix products run in higher precision</source><translation>仅当部分矩阵乘法以更高精度运行时</translation></message>
    <message><source>only when the layer classes are named</source><translation>仅当指定层的类时</translation></message>
    <message><source>only when the machines are in different networks</source><translation>仅当机器位于不同网络时</translation></message>
    <message><source>only when the model is cut by layer class</source><translation>仅当模型按层的类切分时</translation></message>
    <message><source>only when the model is cut by size</source><translation>仅当模型按大小切分时</translation></message>
    <message><source>only when wanted</source><translation>仅在需要时</translation></message>
    <message><source>only with DeepSpeed</source><translation>仅限 DeepSpeed</translation></message>
    <message><source>only with DeepSpeed and without a DeepSpeed file</source><translation>仅限 DeepSpeed 且没有 DeepSpeed 文件</translation></message>
    <message><source>only with FSDP</source><translation>仅限 FSDP</translation></message>
    <message><source>only with FSDP version 1</source><translation>仅限 FSDP 版本 1</translation></message>
    <message><source>only with FSDP version 2</source><translation>仅限 FSDP 版本 2</translation></message>
    <message><source>only with Megatron-LM</source><translation>仅限 Megatron-LM</translation></message>
    <message><source>only with a DeepSpeed file</source><translation>仅限使用 DeepSpeed 文件</translation></message>
    <message><source>only with a mesh of parallel dimensions</source><translation>仅限并行维度的设备网格</translation></message>
    <message><source>only with compile defaults of your own</source><translation>仅限自定义编译选项</translation></message>
    <message><source>only with context parallelism</source><translation>仅限上下文并行</translation></message>
    <message><source>only with mixed precision fp8</source><translation>仅限混合精度 fp8</translation></message>
    <message><source>only with more than one machine</source><translation>仅当多于一台机器时</translation></message>
    <message><source>only with mpirun</source><translation>仅限 mpirun</translation></message>
    <message><source>only with pipeline parallelism</source><translation>仅限流水线并行</translation></message>
    <message><source>only with start-up commands</source><translation>仅限使用启动命令</translation></message>
    <message><source>only with start-up commands given here</source><translation>仅限在此给出启动命令</translation></message>
    <message><source>only with start-up commands in a script</source><translation>仅限脚本中的启动命令</translation></message>
    <message><source>only with tensor parallelism</source><translation>仅限张量并行</translation></message>
    <message><source>only with torch.compile</source><translation>仅限 torch.compile</translation></message>
    <message><source>optimizer states</source><translation>优化器状态</translation></message>
    <message><source>optimizer states and gradients</source><translation>优化器状态和梯度</translation></message>
    <message><source>optimizer states, gradients and weights</source><translation>优化器状态、梯度和权重</translation></message>
    <message><source>parallel ssh</source><translation>并行 ssh</translation></message>
    <message><source>parallelism_config_cp_size is above 1</source><translation>parallelism_config_cp_size 大于 1</translation></message>
    <message><source>parallelism_config_sp_size is above 1</source><translation>parallelism_config_sp_size 大于 1</translation></message>
    <message><source>range of float32; recent hardware</source><translation>float32 的范围；较新的硬件</translation></message>
    <message><source>sdpa, flash_attention_2, flash_attention_3 or a flash-attn kernel of the hub</source><translation>sdpa、flash_attention_2、flash_attention_3 或 hub 上的 flash-attn 内核</translation></message>
    <message><source>several processes without accelerator</source><translation>没有加速器的多个进程</translation></message>
    <message><source>slower, saves GPU memory</source><translation>较慢，节省 GPU 显存</translation></message>
    <message><source>slowest, largest</source><translation>最慢，容量最大</translation></message>
    <message><source>small batches</source><translation>小批次</translation></message>
    <message><source>stays on the GPU</source><translation>留在 GPU 上</translation></message>
    <message><source>sudo</source><translation>sudo</translation></message>
    <message><source>the DeepSpeed file or the TPU decides</source><translation>由 DeepSpeed 文件或 TPU 决定</translation></message>
    <message><source>the name `accelerate config` gives it</source><translation>`accelerate config` 给它的名称</translation></message>
    <message><source>the older one</source><translation>较旧的一种</translation></message>
    <message><source>the same command on each machine</source><translation>每台机器上运行相同命令</translation></message>
    <message><source>there are several machines and the launcher is not `standard`</source><translation>有多台机器且启动器不为 `standard`</translation></message>
    <message><source>there is no deepspeed_config_file</source><translation>没有 deepspeed_config_file</translation></message>
    <message><source>torch.compile&apos;s own default</source><translation>torch.compile 自己的默认值</translation></message>
    <message><source>torchao</source><translation>torchao</translation></message>
    <message><source>units of so many parameters</source><translation>参数量为此值的单元</translation></message>
    <message><source>weights stay whole in between</source><translation>其间权重保持完整</translation></message>
    <message><source>weights, gradients and optimizer states</source><translation>权重、梯度和优化器状态</translation></message>
    <message><source>without ssh; DeepSpeed 0.14.5 or newer</source><translation>不用 ssh；DeepSpeed 0.14.5 或更新版本</translation></message>
    <message><source>zero.Init</source><translation>zero.Init</translation></message>
    <message><source>zero_stage is 1 to 3</source><translation>zero_stage 为 1 到 3</translation></message>
    <message><source>zero_stage is 3</source><translation>zero_stage 为 3</translation></message>
    <message><source>Added to the denominator of the optimizers that have one.</source><translation>加到相应优化器的分母上。</translation></message>
    <message><source>Added to the mean square in norms.</source><translation>在归一化中加到均方上。</translation></message>
    <message><source>Added to the variance in layer norms.</source><translation>在层归一化中加到方差上。</translation></message>
    <message><source>Adds the loss that keeps the experts equally busy.</source><translation>加入使各专家负载均衡的损失。</translation></message>
    <message><source>Attention and feed-forward read the same stream.</source><translation>注意力和前馈读取同一数据流。</translation></message>
    <message><source>Attention heads of each block.</source><translation>每个块的注意力头数。</translation></message>
    <message><source>Attention of each block: a list of full_attention and sliding_attention; empty: the usual one.</source><translation>每个块的注意力：由 full_attention 和 sliding_attention 组成的列表；留空则为常用值。</translation></message>
    <message><source>Attention scores are divided by its square root.</source><translation>注意力分数除以其平方根。</translation></message>
    <message><source>Attention scores stay within this number of 0; 0: not limited.</source><translation>注意力分数的绝对值不超过此数；0：不限制。</translation></message>
    <message><source>Blocks from max_window_layers on have a window.</source><translation>从 max_window_layers 起的块使用窗口。</translation></message>
    <message><source>Blocks of the decoder; 0: as many as the encoder&apos;s.</source><translation>解码器的块数；0：与编码器相同。</translation></message>
    <message><source>Blocks of the encoder.</source><translation>编码器的块数。</translation></message>
    <message><source>Channels after the first convolution.</source><translation>第一个卷积之后的通道数。</translation></message>
    <message><source>Channels of each stage: a list.</source><translation>每个阶段的通道数：列表。</translation></message>
    <message><source>Classes of distances between positions.</source><translation>位置间距离的类别数。</translation></message>
    <message><source>Classes; 1: a number is learnt (regression).</source><translation>类别数；1：学习一个数值（回归）。</translation></message>
    <message><source>Colours of an image.</source><translation>图像的颜色通道数。</translation></message>
    <message><source>Distance from which on all are of one class.</source><translation>从此距离起全部归为一类。</translation></message>
    <message><source>Dropout before the classifier; -1: as between layers.</source><translation>分类器之前的 dropout；-1：与层间相同。</translation></message>
    <message><source>Dropout behind attention and feed-forward.</source><translation>注意力和前馈之后的 dropout。</translation></message>
    <message><source>Dropout of all layers and of attention weights.</source><translation>所有层及注意力权重的 dropout。</translation></message>
    <message><source>Dropout of embeddings, and behind attention and feed-forward.</source><translation>嵌入以及注意力和前馈之后的 dropout。</translation></message>
    <message><source>Dropout of embeddings, attention&apos;s output and feed-forward.</source><translation>嵌入、注意力输出和前馈的 dropout。</translation></message>
    <message><source>Dropout of the attention weights.</source><translation>注意力权重的 dropout。</translation></message>
    <message><source>Dropout of the embeddings.</source><translation>嵌入的 dropout。</translation></message>
    <message><source>Experts of each block.</source><translation>每个块的专家数。</translation></message>
    <message><source>Experts that compute a token.</source><translation>计算一个 token 的专家数。</translation></message>
    <message><source>Factor of the initial weights.</source><translation>初始权重的系数。</translation></message>
    <message><source>Factor of the loss that keeps the experts equally busy.</source><translation>使各专家负载均衡的损失的系数。</translation></message>
    <message><source>First block with a sliding window.</source><translation>第一个使用滑动窗口的块。</translation></message>
    <message><source>Function of the feed-forward layers, by its name in transformers.</source><translation>前馈层的函数，用 transformers 中的名称。</translation></message>
    <message><source>Function of the feed-forward layers, such as relu; gated-gelu: with a gate, as T5 1.1.</source><translation>前馈层的函数，例如 relu；gated-gelu：带门控，如 T5 1.1。</translation></message>
    <message><source>Function of the feed-forward layers.</source><translation>前馈层的函数。</translation></message>
    <message><source>Heads of keys and values, which groups of attention heads share; 0: as many as heads.</source><translation>由注意力头分组共享的 key 和 value 头数；0：与头数相同。</translation></message>
    <message><source>Hidden states are divided by the square root of d_model before the head.</source><translation>隐藏状态在输出头之前除以 d_model 的平方根。</translation></message>
    <message><source>Highest learning rate.</source><translation>最高学习率。</translation></message>
    <message><source>Keys that a query can see, its own included; 0: all before it.</source><translation>一个 query 可见的 key 数，含自身；0：之前的全部。</translation></message>
    <message><source>Kinds of segments, such as first and second text.</source><translation>片段的种类数，例如第一段和第二段文本。</translation></message>
    <message><source>Layers of each stage: a list.</source><translation>每个阶段的层数：列表。</translation></message>
    <message><source>Linear layers have biases.</source><translation>线性层带偏置。</translation></message>
    <message><source>Logits stay within this number of 0; 0: not limited.</source><translation>logits 的绝对值不超过此数；0：不限制。</translation></message>
    <message><source>Longest sequence the model can take, in tokens.</source><translation>模型可接受的最长序列，以 token 计。</translation></message>
    <message><source>Losses that a new one is compared with.</source><translation>与新损失比较的损失个数。</translation></message>
    <message><source>Names of the classes, e.g. {0: negative, 1: positive}.</source><translation>类别的名称，例如 {0: negative, 1: positive}。</translation></message>
    <message><source>Norms are before attention and feed-forward; no: behind the residual sums.</source><translation>归一化位于注意力和前馈之前；否：位于残差和之后。</translation></message>
    <message><source>Number format in which the hook works.</source><translation>hook 使用的数值格式。</translation></message>
    <message><source>Number of transformer blocks.</source><translation>transformer 块的数量。</translation></message>
    <message><source>Optimizer; names of torch and transformers, too.</source><translation>优化器；也可用 torch 和 transformers 的名称。</translation></message>
    <message><source>Pixels of either side of a patch.</source><translation>patch 每边的像素数。</translation></message>
    <message><source>Pixels of either side of an image.</source><translation>图像每边的像素数。</translation></message>
    <message><source>Queries, keys and values have biases.</source><translation>query、key 和 value 带偏置。</translation></message>
    <message><source>Rotary positions: {rope_type: default, rope_theta: 10000.0}; other types are linear, dynamic, yarn, llama3 and longrope, with their parameters.</source><translation>旋转位置：{rope_type: default, rope_theta: 10000.0}；其他类型为 linear、dynamic、yarn、llama3 和 longrope，各有其参数。</translation></message>
    <message><source>Standard deviation of the initial weights.</source><translation>初始权重的标准差。</translation></message>
    <message><source>The feed-forward layers have biases.</source><translation>前馈层带偏置。</translation></message>
    <message><source>The first convolution of a bottleneck halves the image, not the second.</source><translation>由 bottleneck 的第一个卷积将图像减半，而不是第二个。</translation></message>
    <message><source>The first stage halves the image, too.</source><translation>第一个阶段也将图像减半。</translation></message>
    <message><source>The projections of attention have biases.</source><translation>注意力的投影带偏置。</translation></message>
    <message><source>Token that begins what is written.</source><translation>生成文本开头的 token。</translation></message>
    <message><source>Weight decay, the way the optimizer has it: decoupled with adamw, a part of the gradient with sgd.</source><translation>权重衰减，按优化器的方式：adamw 为解耦，sgd 为梯度的一部分。</translation></message>
    <message><source>Width inside the feed-forward layers.</source><translation>前馈层内部的宽度。</translation></message>
    <message><source>Width of a head.</source><translation>一个头的宽度。</translation></message>
    <message><source>Width of a head; 0: hidden_size / num_attention_heads.</source><translation>一个头的宽度；0：hidden_size / num_attention_heads。</translation></message>
    <message><source>Width of the hidden states.</source><translation>隐藏状态的宽度。</translation></message>
    <message><source>Width of the token table; 0: hidden_size.</source><translation>token 表的宽度；0：hidden_size。</translation></message>
    <message><source>basic: two convolutions a layer; bottleneck: three.</source><translation>basic：每层两个卷积；bottleneck：三个。</translation></message>
    <message><source>single_label_classification, multi_label_classification or regression; empty: as num_labels says.</source><translation>single_label_classification、multi_label_classification 或 regression；留空则按 num_labels。</translation></message>
    <message><source>Name that a plug-in of `plugins` has for its model.</source><translation>`plugins` 中的插件为其模型所取的名称。</translation></message>
    <message><source>What the plug-in makes the model with: a table.</source><translation>插件创建模型时使用的参数：一个表。</translation></message>
    <message><source>Clock</source><translation>时钟</translation></message>
    <message><source>Data readable</source><translation>数据可读</translation></message>
    <message><source>Disk for checkpoints</source><translation>checkpoint 的磁盘空间</translation></message>
    <message><source>Disk for logs</source><translation>日志的磁盘空间</translation></message>
    <message><source>Driver and CUDA</source><translation>驱动和 CUDA</translation></message>
    <message><source>Engine</source><translation>引擎</translation></message>
    <message><source>Folder for runs</source><translation>运行文件夹</translation></message>
    <message><source>GPUs free</source><translation>空闲 GPU</translation></message>
    <message><source>Host key</source><translation>主机密钥</translation></message>
    <message><source>Memory fits</source><translation>内存足够</translation></message>
    <message><source>Network between hosts</source><translation>主机间网络</translation></message>
    <message><source>Output folder</source><translation>输出文件夹</translation></message>
    <message><source>Program</source><translation>程序</translation></message>
    <message><source>Reach and log in</source><translation>连接并登录</translation></message>
    <message><source>Rendezvous port</source><translation>rendezvous 端口</translation></message>
    <message><source>Script readable</source><translation>脚本可读</translation></message>
    <message><source>Settings</source><translation>设置</translation></message>
    <message><source>activations</source><translation>激活</translation></message>
    <message><source>allocator</source><translation>分配器</translation></message>
    <message><source>averaged weights</source><translation>平均权重</translation></message>
    <message><source>checkpoint being written</source><translation>正在写入的 checkpoint</translation></message>
    <message><source>communication buffers</source><translation>通信缓冲区</translation></message>
    <message><source>copies for products</source><translation>用于乘积的副本</translation></message>
    <message><source>device</source><translation>设备</translation></message>
    <message><source>disk</source><translation>磁盘</translation></message>
    <message><source>gradients</source><translation>梯度</translation></message>
    <message><source>host memory</source><translation>主机内存</translation></message>
    <message><source>import torch</source><translation>import torch</translation></message>
    <message><source>logits and loss</source><translation>logits 和损失</translation></message>
    <message><source>optimizer</source><translation>优化器</translation></message>
    <message><source>program</source><translation>程序</translation></message>
    <message><source>temporary</source><translation>临时</translation></message>
    <message><source>weights</source><translation>权重</translation></message>
    <message><source>{} is for modules whose gradients are whole on every rank: set zero_stage to 0; a model of the engine has its recipe&apos;s keys for it</source><translation>{} 用于梯度在每个 rank 上都完整的模块：请将 zero_stage 设为 0；引擎的模型可使用其配方中的相应键</translation></message>
    <message><source>this model updates while backward runs, which a recipe&apos;s run drives: make the FlatModel without updates_in_backward, or train the recipe with trainyard launch</source><translation>此模型在反向传播期间更新，只有配方的运行能驱动它：创建 FlatModel 时不要设 updates_in_backward，或用 trainyard launch 训练该配方</translation></message>
    <message><source>the model has the weights that {} trains, and is to be evaluated at their average: call the prepared optimizer&apos;s eval() before the evaluation, and train() after it</source><translation>模型中是 {} 正在训练的权重，而评估应使用它们的平均：评估前调用已准备的优化器的 eval()，之后调用 train()</translation></message>
    <message><source>activation checkpointing is asked of the accelerator, but this model has it from its recipe: set the recipe&apos;s training.activation_checkpointing, and fsdp_activation_checkpointing to false</source><translation>要求 accelerator 启用激活检查点，但此模型由其配方设定：请设置配方的 training.activation_checkpointing，并将 fsdp_activation_checkpointing 设为 false</translation></message>
    <message><source>zero_stage is {} for the accelerator and {} in the model&apos;s recipe (parallel.zero_stage): give both the same</source><translation>accelerator 的 zero_stage 为 {}，而模型配方中为 {}（parallel.zero_stage）：请使两者相同</translation></message>
    <message><source>the model computes in {} (its recipe&apos;s training.mixed_precision), the accelerator in {}: give both the same mixed_precision</source><translation>模型以 {} 计算（其配方的 training.mixed_precision），accelerator 以 {} 计算：请使两者的 mixed_precision 相同</translation></message>
    <message><source>the model</source><translation>模型</translation></message>
    <message><source>{} needs the model before its optimizer: call prepare(model) first</source><translation>{} 要求模型先于其优化器：请先调用 prepare(model)</translation></message>
    <message><source>prepare_average: {} optimizers are prepared: name the one whose steps the average follows</source><translation>prepare_average：已准备 {} 个优化器：请指定平均应跟随哪一个的步</translation></message>
    <message><source>the health action rollback goes back to the newest checkpoint of project_dir/checkpoints: set project.automatic_checkpoint_naming, and call save_state every so often</source><translation>健康处理方式 rollback 会回到 project_dir/checkpoints 中最新的 checkpoint：请设置 project.automatic_checkpoint_naming，并定期调用 save_state</translation></message>
    <message><source>these are the weights that {} trains, and not their average, which is to be used: call the prepared optimizer&apos;s eval() before saving, and train() after it</source><translation>这些是 {} 正在训练的权重，而不是应当使用的平均：保存前调用已准备的优化器的 eval()，之后调用 train()</translation></message>
    <message><source>{}: the gradient of {} is not .grad of the parameter (a model of the engine, or zero_stage): call clip_grad_norm(model, max_norm)</source><translation>{}：{} 的梯度不是参数的 .grad（引擎的模型，或使用了 zero_stage）：请调用 clip_grad_norm(model, max_norm)</translation></message>
    <message><source>data loader {} reads a stream or dispatches its batches: even_batches does not change it</source><translation>数据加载器 {} 读取流或分发其 batch：even_batches 对它不起作用</translation></message>
    <message><source>the pictures &apos;{}&apos; have {} dimensions: give a batch of N × C × H × W</source><translation>图片 &apos;{}&apos; 有 {} 个维度：请提供 N × C × H × W 的 batch</translation></message>
    <message><source>there are no trackers yet: call init_trackers first</source><translation>还没有跟踪器：请先调用 init_trackers</translation></message>
    <message><source>automatic checkpoint naming needs a project_dir: the folder in which checkpoints/ is made</source><translation>自动命名 checkpoint 需要 project_dir：即创建 checkpoints/ 的文件夹</translation></message>
    <message><source>project.save_on_each_node: the machines share the disk of {}, and would replace each other&apos;s checkpoint: set it to false, or give each machine a folder of its own</source><translation>project.save_on_each_node：各机器共用 {} 所在的磁盘，会互相替换检查点：请设为 false，或给每台机器单独的文件夹</translation></message>
    <message><source>folders of nodes</source><translation>各节点的文件夹</translation></message>
    <message><source>{} already exists: call load_state() to continue from it, or set project.iteration to the next number</source><translation>{} 已存在：可用 load_state() 从它继续，或将 project.iteration 设为下一个编号</translation></message>
    <message><source>the updates before it were not finite</source><translation>此前的更新出现非有限值</translation></message>
    <message><source>the checkpoint before this one, {}, could not be written: {}</source><translation>上一个 checkpoint {} 无法写入：{}</translation></message>
    <message><source>activation checkpointing is asked for, but the model names no block: give it blocks(), which returns the modules that it wrapped with wrap_block</source><translation>要求启用激活检查点，但模型没有指明任何块：请为它添加 blocks()，返回用 wrap_block 包装的模块</translation></message>
    <message><source>activation checkpointing is asked for blocks of the class &apos;{}&apos;, but the model&apos;s blocks are of {}: name one of these, or wrap those modules</source><translation>要求对类 &apos;{}&apos; 的块启用激活检查点，但模型的块属于 {}：请指定其中之一，或包装那些模块</translation></message>
    <message><source>activation checkpointing acts on no block: none that is asked for has {} parameters; lower min_parameters</source><translation>激活检查点没有作用于任何块：所要求的块都不足 {} 个参数；请减小 min_parameters</translation></message>
    <message><source>parameter {} is {}, and {} shares out fp32 parameters alone: keep it in fp32, or set zero_stage to 0</source><translation>参数 {} 为 {}，而 {} 只切分 fp32 参数：请保持为 fp32，或将 zero_stage 设为 0</translation></message>
    <message><source>parameter {} is on {}, others on {}: {} needs all on one device</source><translation>参数 {} 位于 {}，其他参数位于 {}：{} 要求全部位于同一设备</translation></message>
    <message><source>static_graph: {} sums gradients as they come, whatever the graph is: take static_graph away</source><translation>static_graph：{} 按梯度产生的顺序求和，与计算图无关：请去掉 static_graph</translation></message>
    <message><source>comm_hook: a communication hook needs whole gradients, which no rank keeps under {}: set zero_stage to 1, or take the hook away</source><translation>comm_hook：通信钩子需要完整的梯度，而在 {} 下没有 rank 保留完整梯度：请将 zero_stage 设为 1，或去掉该钩子</translation></message>
    <message><source>parameter {} got a gradient outside of Accelerator::backward(): where ranks share out optimizer state (zero_stage), call accelerator.backward(loss) instead of loss.backward()</source><translation>参数 {} 在 Accelerator::backward() 之外得到了梯度：各 rank 切分优化器状态时（zero_stage），请调用 accelerator.backward(loss) 而不是 loss.backward()</translation></message>
    <message><source>a second optimizer of the same model is prepared: where ranks share out optimizer state (zero_stage), give one optimizer all parameters of the model, in parameter groups</source><translation>为同一模型准备了第二个优化器：各 rank 切分优化器状态时（zero_stage），请将模型的全部参数以参数组的形式交给一个优化器</translation></message>
    <message><source>gradient_accumulation_steps is {}: it must be 1 or more</source><translation>gradient_accumulation_steps 为 {}：必须不小于 1</translation></message>
    <message><source>some backward calls of this update have a denominator, others have none: their gradients cannot be added up; give every one a denominator</source><translation>此次更新中有些 backward 调用带分母，有些没有：它们的梯度无法相加；请为每次调用都给出分母</translation></message>
    <message><source>loss of the closure</source><translation>闭包的损失</translation></message>
    <message><source> out of memory.</source><translation> out of memory.</translation></message>
    <message><source>MPS backend out of memory</source><translation>MPS backend out of memory</translation></message>
    <message><source>DefaultCPUAllocator: can&apos;t allocate memory</source><translation>DefaultCPUAllocator: can&apos;t allocate memory</translation></message>
    <message><source>DefaultCPUAllocator: not enough memory</source><translation>DefaultCPUAllocator: not enough memory</translation></message>
    <message><source>FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed</source><translation>FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed</translation></message>
    <message><source>no batch size fits into memory, not even 1: use a smaller model, shorter samples or bf16, or accumulate gradients</source><translation>内存放不下任何 batch 大小，即使是 1：请使用更小的模型、更短的样本或 bf16，或累积梯度</translation></message>
    <message><source>device {}: {}</source><translation>设备 {}：{}</translation></message>
    <message><source>&apos;{}&apos; is not a device: use numbers of accelerators, mps, cpu or disk</source><translation>&apos;{}&apos; 不是设备：请使用加速器编号、mps、cpu 或 disk</translation></message>
    <message><source>device {} has a memory limit but does not exist: {}</source><translation>设备 {} 设有内存上限但并不存在：{}</translation></message>
    <message><source>there is no accelerator</source><translation>没有加速器</translation></message>
    <message><source>there is only device 0</source><translation>只有设备 0</translation></message>
    <message><source>there are devices 0 to {}</source><translation>现有设备 0 到 {}</translation></message>
    <message><source>gather_for_metrics got {} for a last batch of {} samples: give one entry per sample, or entries that are batches</source><translation>gather_for_metrics 收到 {}，而最后一个 batch 有 {} 个样本：请为每个样本提供一个条目，或提供作为 batch 的条目</translation></message>
    <message><source>{} entries of {} samples together</source><translation>{} 个条目，共 {} 个样本</translation></message>
    <message><source>{} entries</source><translation>{} 个条目</translation></message>
    <message><source>it must be a number, 0 or more, or auto</source><translation>必须是不小于 0 的数或 auto</translation></message>
    <message><source>this library keeps everything on the device it trains on: set it to false</source><translation>此库将全部内容保存在训练所用的设备上：请设为 false</translation></message>
    <message><source>it must be TRANSFORMER_BASED_WRAP, SIZE_BASED_WRAP or NO_WRAP</source><translation>必须是 TRANSFORMER_BASED_WRAP、SIZE_BASED_WRAP 或 NO_WRAP</translation></message>
    <message><source>{} is &apos;{}&apos;: it must be a whole number, {} or more</source><translation>{} 为 &apos;{}&apos;：必须是不小于 {} 的整数</translation></message>
    <message><source>the optimizer updates parameters of several models, or of none that is prepared: where ranks share out optimizer state (zero_stage), give each prepared model an optimizer of its own</source><translation>该优化器更新多个模型的参数，或其参数不属于任何已准备的模型：各 rank 切分优化器状态时（zero_stage），请为每个已准备的模型配备各自的优化器</translation></message>
    <message><source>line {}:{}: {}</source><translation>第 {}:{} 行：{}</translation></message>
    <message><source>cannot write {}</source><translation>无法写入 {}</translation></message>
    <message><source>the value</source><translation>该值</translation></message>
    <message><source>{} is missing</source><translation>缺少 {}</translation></message>
    <message><source>{} is out of range</source><translation>{} 超出范围</translation></message>
    <message><source>{} is not a time</source><translation>{} 不是时间</translation></message>
    <message><source>{} is &apos;{}&apos;, which this version does not know</source><translation>{} 为 &apos;{}&apos;，此版本不认识</translation></message>
    <message><source>{} is not a known key</source><translation>{} 不是已知的键</translation></message>
    <message><source>{} cannot be &apos;{}&apos;</source><translation>{} 不能是 &apos;{}&apos;</translation></message>
    <message><source>{} has {} entries, more than the {} allowed</source><translation>{} 有 {} 个条目，超过允许的 {} 个</translation></message>
    <message><source>{} has the wrong type</source><translation>{} 的类型错误</translation></message>
    <message><source>{} is {}: it was written by another program</source><translation>{} {}：由其他程序写入</translation></message>
    <message><source>{} is not a JSON object: it was cut short or written by another program</source><translation>{} 不是 JSON 对象：被截断，或由其他程序写入</translation></message>
    <message><source>{} ({} free): make room or choose another folder</source><translation>{}（剩余 {}）：请腾出空间或选择其他文件夹</translation></message>
    <message><source>cannot read {}</source><translation>无法读取 {}</translation></message>
    <message><source>cannot flush {}</source><translation>无法将 {} 写入磁盘</translation></message>
    <message><source>cannot replace {}</source><translation>无法替换 {}</translation></message>
    <message><source>cannot make the folder {}</source><translation>无法创建文件夹 {}</translation></message>
    <message><source>{} has {} bytes instead of {}: it was cut while it was read</source><translation>{} 有 {} 字节，而不是 {}：读取时被截断</translation></message>
    <message><source>cannot write {}: the disk is full ({} needed, {} free): make room or choose another folder</source><translation>无法写入 {}：磁盘已满（需要 {}，可用 {}）：请腾出空间或选择其他文件夹</translation></message>
    <message><source>cannot write {}: {}</source><translation>无法写入 {}：{}</translation></message>
    <message><source>{} is not a file</source><translation>{} 不是文件</translation></message>
    <message><source>{} cannot be read any more: the file was cut while it was used, or its disk fails; put it back and load it again</source><translation>{} 已无法读取：文件在使用时被截断，或其磁盘有故障；请恢复文件并重新加载</translation></message>
    <message><source>{} cannot be read any more: the file was cut</source><translation>{} 已无法读取：文件被截断</translation></message>
    <message><source>cannot map {}</source><translation>无法映射 {}</translation></message>
    <message><source>{} cannot be read any more: the disk fails, or the file was cut</source><translation>{} 已无法读取：磁盘有故障，或文件被截断</translation></message>
    <message><source>the folder {} does not exist: make it, or name another one</source><translation>文件夹 {} 不存在：请创建它，或指定另一个</translation></message>
    <message><source>{} is not a folder: name one</source><translation>{} 不是文件夹：请指定一个文件夹</translation></message>
    <message><source>no file can be written in {}: {}; name another folder</source><translation>无法在 {} 中写入文件：{}；请指定另一个文件夹</translation></message>
    <message><source>{} in {} is lost: the disk is full, or fails; make room, or name another folder, and resume from the last checkpoint</source><translation>{1} 中的{0}已丢失：磁盘已满或出现故障；请腾出空间或指定另一个文件夹，并从最后一个 checkpoint 继续</translation></message>
    <message><source>the disk of {} has no room for {}: it takes {}, {} are free; make room, or name another folder</source><translation>{} 所在的磁盘没有空间存放{}：需要 {}，可用 {}；请腾出空间，或指定另一个文件夹</translation></message>
    <message><source>cannot keep the tokens of the data in memory for {}</source><translation>无法将 {} 的数据 token 保存在内存中</translation></message>
    <message><source>the tokens of {} cannot be kept in memory: {}</source><translation>{} 的 token 无法保存在内存中：{}</translation></message>
    <message><source>every rank holds the tokens of the data in its own memory, because they cannot be kept in {}: {} (set TRAINYARD_CACHE to a folder with room)</source><translation>每个 rank 都在自己的内存中保存数据的 token，因为无法保存到 {}：{}（请将 TRAINYARD_CACHE 设为有空间的文件夹）</translation></message>
    <message><source>a cache</source><translation>缓存</translation></message>
    <message><source>neither TRAINYARD_CACHE, XDG_CACHE_HOME nor HOME is set</source><translation>TRAINYARD_CACHE、XDG_CACHE_HOME 和 HOME 均未设置</translation></message>
    <message><source>what was written cannot be read again</source><translation>写入的内容无法读回</translation></message>
    <message><source>it is cut off</source><translation>文件被截断</translation></message>
    <message><source>it is not a token file of this version</source><translation>不是此版本的 token 文件</translation></message>
    <message><source>its size is not the one it was written with</source><translation>其大小与写入时不符</translation></message>
    <message><source>its content is not the one it was written with</source><translation>其内容与写入时不符</translation></message>
    <message><source>{} is not a whole torch.save archive</source><translation>{} 不是完整的 torch.save 归档</translation></message>
    <message><source>{}: its entry &apos;{}&apos; is compressed, which torch.save never does</source><translation>{}：条目 &apos;{}&apos; 经过压缩，而 torch.save 从不压缩</translation></message>
    <message><source>{}: its entries are not all in one folder</source><translation>{}：各条目不在同一个文件夹中</translation></message>
    <message><source>{} is not a whole torch.save archive: it has no &apos;{}&apos;</source><translation>{} 不是完整的 torch.save 归档：其中没有 &apos;{}&apos;</translation></message>
    <message><source>{} is damaged: the checksum of its entry &apos;{}&apos; is wrong</source><translation>{} 已损坏：条目 &apos;{}&apos; 的校验和错误</translation></message>
    <message><source>its directory is longer than its entries</source><translation>其目录比条目更长</translation></message>
    <message><source>it is cut</source><translation>文件被截断</translation></message>
    <message><source>the directory at its end is missing, so it is cut</source><translation>末尾的目录缺失，说明文件被截断</translation></message>
    <message><source>it is one part of several</source><translation>它是多个分卷之一</translation></message>
    <message><source>the 64-bit end of its directory is missing</source><translation>其目录的 64 位结尾缺失</translation></message>
    <message><source>its directory lies outside the file</source><translation>其目录位于文件之外</translation></message>
    <message><source>its directory claims more entries than it can hold</source><translation>其目录声称的条目数超出其容量</translation></message>
    <message><source>its directory is damaged</source><translation>其目录已损坏</translation></message>
    <message><source>its entry &apos;{}&apos; is encrypted</source><translation>条目 &apos;{}&apos; 已加密</translation></message>
    <message><source>its entry &apos;{}&apos; is compressed in a way (method {}) that cannot be read</source><translation>条目 &apos;{}&apos; 的压缩方式（方法 {}）无法读取</translation></message>
    <message><source>its entry &apos;{}&apos; has two sizes</source><translation>条目 &apos;{}&apos; 有两个不同的大小</translation></message>
    <message><source>the name &apos;{}&apos; leaves the archive</source><translation>名称 &apos;{}&apos; 指向归档之外</translation></message>
    <message><source>its entry &apos;{}&apos; is not where the directory says</source><translation>条目 &apos;{}&apos; 不在目录所示的位置</translation></message>
    <message><source>its entry &apos;{}&apos; extends past the file&apos;s data</source><translation>条目 &apos;{}&apos; 的结尾超出文件的数据</translation></message>
    <message><source>its entry &apos;{}&apos; is another one in the directory than in its own place</source><translation>条目 &apos;{}&apos; 在目录中与在其自身位置处不一致</translation></message>
    <message><source>its entries &apos;{}&apos; and &apos;{}&apos; overlap</source><translation>条目 &apos;{}&apos; 和 &apos;{}&apos; 重叠</translation></message>
    <message><source>{}: the entry &apos;{}&apos; is there twice</source><translation>{}：条目 &apos;{}&apos; 出现了两次</translation></message>
    <message><source>{}={} is not known: use generic, avx2, avx512 or avx512bf16, or leave it out</source><translation>{}={} 未知：请使用 generic、avx2、avx512 或 avx512bf16，或省略它</translation></message>
    <message><source>{}={} asks for more than this processor has: the most is {}</source><translation>{}={} 超出了本处理器的能力：最高为 {}</translation></message>
    <message><source>{} is not a port: give 1 to 65535, or 0 for a free one</source><translation>{} 不是端口：请给出 1 到 65535，或 0 取空闲端口</translation></message>
    <message><source>the address &apos;{}&apos; is unknown: {}</source><translation>未知的地址 &apos;{}&apos;：{}</translation></message>
    <message><source>port {} of {} is in use by another program: give another one, or 0 for a free one</source><translation>{1} 的端口 {0} 已被其他程序占用：请给出其他端口，或 0 取空闲端口</translation></message>
    <message><source>cannot listen on {}:{}: {}</source><translation>无法在 {}:{} 监听：{}</translation></message>
    <message><source>port {} of this machine is in use by another launch: give another one, or 0 for a free one</source><translation>本机的端口 {} 正被另一次启动使用：请指定其他端口，或用 0 选取空闲端口</translation></message>
    <message><source>&apos;{}&apos; is not a size of memory: write a number with a unit, such as 5GB or 500MiB</source><translation>&apos;{}&apos; 不是内存大小：请写带单位的数字，例如 5GB 或 500MiB</translation></message>
    <message><source>&apos;{}&apos; is less than no memory: write a size of 0 or more</source><translation>&apos;{}&apos; 小于零：请写 0 或更大的大小</translation></message>
    <message><source>&apos;{}&apos; is more memory than can be counted</source><translation>&apos;{}&apos; 超出了可表示的内存大小</translation></message>
    <message><source>cancelled: nothing was changed</source><translation>已取消：未做任何更改</translation></message>
    <message><source>the regular expression &apos;{}&apos; cannot be used: {} (at character {})</source><translation>正则表达式 &apos;{}&apos; 无法使用：{}（第 {} 个字符处）</translation></message>
    <message><source>the regular expression &apos;{}&apos; fails on a text of {} bytes: {}</source><translation>正则表达式 &apos;{}&apos; 在 {} 字节的文本上失败：{}</translation></message>
    <message><source>a named pipe</source><translation>命名管道</translation></message>
    <message><source>a socket</source><translation>套接字</translation></message>
    <message><source>a device</source><translation>设备</translation></message>
    <message><source>a folder</source><translation>文件夹</translation></message>
    <message><source>something else</source><translation>其他类型</translation></message>
    <message><source>cannot read {}: it is {}: replace it with a regular file</source><translation>无法读取 {}：它是{}，请在该位置放置一个文件</translation></message>
    <message><source>cannot read {}: it is {}, more than the {} allowed here</source><translation>无法读取 {}：大小为 {}，超过此处允许的 {}</translation></message>
    <message><source>at least {}</source><translation>至少 {}</translation></message>
    <message><source>{} does not exist: name the shared library (.so) that the plug-in&apos;s build made</source><translation>{} 不存在：请指定构建插件时生成的共享库 (.so)</translation></message>
    <message><source>{} cannot be read as a file: name the shared library (.so) that the plug-in&apos;s build made</source><translation>{} 无法作为文件读取：请指定构建插件时生成的共享库 (.so)</translation></message>
    <message><source>{} is not a shared library: name the .so file that the plug-in&apos;s build made</source><translation>{} 不是共享库：请指定构建插件时生成的 .so 文件</translation></message>
    <message><source>{} cannot be loaded ({}): build it against the LibTorch of this Trainyard</source><translation>无法加载 {}（{}）：请针对此 Trainyard 的 LibTorch 构建</translation></message>
    <message><source>no reason given</source><translation>未说明原因</translation></message>
    <message><source>more than 100 years</source><translation>超过 100 年</translation></message>
    <message><source>: did you mean &apos;{}&apos;?</source><translation>：是否想写 &apos;{}&apos;？</translation></message>
    <message><source>: known are {}</source><translation>：已知的有 {}</translation></message>
    <message><source>zero bytes begin at byte {}</source><translation>从第 {} 个字节起是零字节</translation></message>
    <message><source>byte {} (0x{:02x}) is not valid UTF-8</source><translation>第 {} 个字节（0x{}）不是有效的 UTF-8</translation></message>
    <message><source>zero bytes begin at byte {}: the file is damaged or is not text, so restore it or remove them</source><translation>从第 {} 字节开始是零字节：文件已损坏或不是文本，请恢复文件或删除这些零字节</translation></message>
    <message><source>byte {} (0x{:02x}) is not valid UTF-8: save the file as UTF-8, Latin-1 text for example with iconv -f WINDOWS-1252 -t UTF-8</source><translation>第 {} 字节（0x{}）不是有效的 UTF-8：请将文件保存为 UTF-8，例如用 iconv -f WINDOWS-1252 -t UTF-8 转换 Latin-1 文本</translation></message>
    <message><source>byte {} (0x{:02x}) of the argument is not valid UTF-8: give it in UTF-8, as a terminal with a UTF-8 locale does</source><translation>参数的第 {} 个字节（0x{}）不是有效的 UTF-8：请以 UTF-8 给出，使用 UTF-8 区域设置的终端即是如此</translation></message>
    <message><source>the text is {0}: save it as UTF-8, for example with iconv -f {0} -t UTF-8</source><translation>文本是 {0}：请保存为 UTF-8，例如用 iconv -f {0} -t UTF-8</translation></message>
    <message><source>{}: &apos;{}&apos; is not {}</source><translation>{}：&apos;{}&apos; 不是{}</translation></message>
    <message><source>{} is limited to {} files and folders</source><translation>{}最多允许 {} 个文件和文件夹</translation></message>
    <message><source>{}: listing its files took more than {}</source><translation>{}：列出文件的时间超过 {}</translation></message>
    <message><source>{} is limited to {}</source><translation>{}最多允许 {}</translation></message>
    <message><source>{} needs {} more on the disk of {}: {} are free there, and {} of them stay free</source><translation>{0}在 {2} 所在磁盘上还需要 {1}：那里有 {3} 可用空间，其中 {4} 须保持空闲</translation></message>
    <message><source>cannot resume from {}: there is no such folder</source><translation>无法从 {} 恢复：没有该文件夹</translation></message>
    <message><source>{} has no state of the gradient scaler, which starts with its initial scale</source><translation>{} 中没有梯度缩放器的状态：它将重新开始</translation></message>
    <message><source>cannot resume from {}: {}</source><translation>无法从 {} 恢复：{}</translation></message>
    <message><source>{} is missing (and {}, too)</source><translation>缺少 {}（{} 也缺少）</translation></message>
    <message><source>{} holds more models than the {} of this program: the others are not loaded</source><translation>{} 中的模型多于本程序的 {} 个：其余的不加载</translation></message>
    <message><source>{} holds more than the {} {} of this program: the others are not loaded</source><translation>{0} 中的 {2} 多于本程序的 {1} 个：其余的不加载</translation></message>
    <message><source>{} holds more than the {} {}s of this program: the others are not loaded</source><translation>{0} 中的 {2} 多于本程序的 {1} 个：其余的不加载</translation></message>
    <message><source>data loader {} was saved on {} ranks and continues on {} ranks from the position of rank 0</source><translation>数据加载器 {} 是在 {} 个 rank 上保存的，现在 {} 个 rank 上从 rank 0 的位置继续</translation></message>
    <message><source>{} has no random states: the generators keep their current states</source><translation>{} 中没有随机状态：随机数生成器按现状继续</translation></message>
    <message><source>rank {} has no random state in {}, which is of {} ranks: its generators begin with a seed derived from that of rank 0 and its own number</source><translation>{1} 中没有 rank {0} 的随机状态（它来自 {2} 个 rank）：其随机数生成器将以由 rank 0 的种子和自身编号导出的种子开始</translation></message>
    <message><source>it holds {} custom objects, but {} are registered</source><translation>其中有 {} 个自定义对象，但注册了 {} 个</translation></message>
    <message><source>{} is missing, so its files cannot be verified</source><translation>缺少 {}，因此无法判断其文件是否完整</translation></message>
    <message><source>{} was not written to its end</source><translation>{} 没有写完</translation></message>
    <message><source>there is no whole checkpoint in it</source><translation>其中没有完好的 checkpoint</translation></message>
    <message><source>{} is passed over: {} (and {} more)</source><translation>已跳过 {}：{}（另有 {} 个）</translation></message>
    <message><source>{} is passed over: {}</source><translation>已跳过 {}：{}</translation></message>
    <message><source>{} has the experts of a block in two tensors, as transformers 5 computes with them, and optimizer state of these is not read: start from the weights alone with model.weights</source><translation>{} 把一个块的专家存成两个张量（transformers 5 的计算形式），这种优化器状态无法读取：请用 model.weights 仅从权重开始</translation></message>
    <message><source>{} has shape [{}] instead of [{}]</source><translation>{} 的形状为 [{}]，而不是 [{}]</translation></message>
    <message><source>{} is a weight of its own there, the recipe&apos;s model ties it to {}: set model.tie_word_embeddings to false</source><translation>{} 在那里是独立的权重，而配方的模型将其与 {} 共享：请将 model.tie_word_embeddings 设为 false</translation></message>
    <message><source>{} is not part of the recipe&apos;s model</source><translation>{} 不属于配方的模型</translation></message>
    <message><source>and {} more</source><translation>以及另外 {} 项</translation></message>
    <message><source>the weights in {} do not fit: {}</source><translation>{} 中的权重不匹配：{}</translation></message>
    <message><source>tensor {} has shape {} instead of {}</source><translation>张量 {} 的形状为 {}，而不是 {}</translation></message>
    <message><source>tensor {} has only a part of its elements</source><translation>张量 {} 只有部分元素</translation></message>
    <message><source>tensor {} is missing</source><translation>缺少张量 {}</translation></message>
    <message><source>{} does not fit this model: {}</source><translation>{} 与此模型不匹配：{}</translation></message>
    <message><source>{} was marked as not good when it was saved: {}</source><translation>{} 在保存时被标记为有问题：{}</translation></message>
    <message><source>training continues from {}: the 1 step from there to {} is lost</source><translation>训练从 {} 继续：从那里到 {} 的 1 步已丢失</translation></message>
    <message><source>training continues from {}: the {} steps from there to {} are lost</source><translation>训练从 {0} 继续：从那里到 {2} 的 {1} 步将丢失</translation></message>
    <message><source>cannot resume from {}: its manifest.json is missing, so its files cannot be verified: give the folder that contains it to resume from the newest complete checkpoint</source><translation>无法从 {} 恢复：缺少其 manifest.json，因此无法判断其文件是否完整：请指定其上级文件夹，以从最新的完好 checkpoint 继续</translation></message>
    <message><source>cannot resume from {}: there is no whole checkpoint in it</source><translation>无法从 {} 恢复：其中没有完好的 checkpoint</translation></message>
    <message><source>{} names no file of the weights: resume from an earlier checkpoint</source><translation>{} 没有列出权重文件：请从更早的 checkpoint 恢复</translation></message>
    <message><source>{} names no file of the optimizer: resume from an earlier checkpoint</source><translation>{} 没有列出优化器文件：请从更早的 checkpoint 恢复</translation></message>
    <message><source>{}: resume from an earlier checkpoint</source><translation>{}：请从更早的 checkpoint 恢复</translation></message>
    <message><source>{} has no position of a trainer ({}): this checkpoint was saved by another program</source><translation>{} 中没有训练器的位置（{}）：此 checkpoint 由其他程序保存</translation></message>
    <message><source>&apos;{}&apos; is missing</source><translation>缺少 &apos;{}&apos;</translation></message>
    <message><source>&apos;{}&apos; has shape {} instead of {}</source><translation>&apos;{}&apos; 的形状为 {}，而不是 {}</translation></message>
    <message><source>&apos;{}&apos; and &apos;{}&apos; are one tensor of this model, and differ in the file</source><translation>“{}”和“{}”在此模型中是同一个张量，但在文件中不同</translation></message>
    <message><source>&apos;{}&apos; is not part of this model</source><translation>&apos;{}&apos; 不属于此模型</translation></message>
    <message><source>{} says wrongly which parts of tensors it holds ({})</source><translation>{} 对其所含张量部分的说明有误（{}）</translation></message>
    <message><source>{} has other dimensions than its tensor</source><translation>{} 的维度与其张量不同</translation></message>
    <message><source>{} reaches out of its tensor</source><translation>{} 超出了其张量的范围</translation></message>
    <message><source>{} holds a tensor of the unknown type {}</source><translation>{} 含有未知类型 {} 的张量</translation></message>
    <message><source>{} has {} bytes instead of {}</source><translation>{} 为 {} 字节，而不是 {}</translation></message>
    <message><source>{} is damaged ({}): resume from an earlier checkpoint</source><translation>{} 已损坏（{}）：请从更早的 checkpoint 恢复</translation></message>
    <message><source>in its header</source><translation>位于文件头</translation></message>
    <message><source>in tensor {}</source><translation>位于张量 {}</translation></message>
    <message><source>in tensors {} and {} more</source><translation>位于张量 {} 及另外 {} 个</translation></message>
    <message><source>in tensors {}</source><translation>位于张量 {}</translation></message>
    <message><source>it names the file &apos;{}&apos;</source><translation>其中列出了文件 &apos;{}&apos;</translation></message>
    <message><source>it has no checksum of {}</source><translation>其中没有 {} 的校验和</translation></message>
    <message><source>{} is damaged (its checksum differs)</source><translation>{} 已损坏（校验和不符）</translation></message>
    <message><source>{} shares its memory with a weight that is saved, and is not written again: tie the weights after loading</source><translation>{} 与某个已保存的权重共用内存，不再重复写入：请在加载后将权重设为共享</translation></message>
    <message><source>{} share their memory with a weight that is saved, and are not written again: tie the weights after loading</source><translation>{} 与某个已保存的权重共用内存，不再重复写入：请在加载后将权重设为共享</translation></message>
    <message><source>&apos;{}&apos; has no data: load or initialise the model before saving it</source><translation>&apos;{}&apos; 没有数据：请在保存前加载或初始化模型</translation></message>
    <message><source>cannot save in {}: it is a file</source><translation>无法保存到 {}：它是文件</translation></message>
    <message><source>cannot save in {}</source><translation>无法保存到 {}</translation></message>
    <message><source>{} is not the state of an optimizer: it lacks &quot;state&quot; or &quot;param_groups&quot;</source><translation>{} 不是优化器的状态：缺少 &quot;state&quot; 或 &quot;param_groups&quot;</translation></message>
    <message><source>{} lacks the names of its parameters: it was not saved by the trainer</source><translation>{} 中缺少参数名称：它不是由训练器保存的</translation></message>
    <message><source>{}: &apos;{}&apos; is not contiguous</source><translation>{}：&apos;{}&apos; 不是连续存放的</translation></message>
    <message><source>the random state has no torch_manual_seed</source><translation>随机状态中没有 torch_manual_seed</translation></message>
    <message><source>the random state is of another version of torch: it has {} bytes where this one&apos;s has {}</source><translation>随机状态来自其他版本的 torch：它为 {} 字节，而此版本为 {}</translation></message>
    <message><source>Adafactor of transformers</source><translation>transformers 的 Adafactor</translation></message>
    <message><source>a schedule-free optimizer</source><translation>schedule-free 优化器</translation></message>
    <message><source>an 8-bit optimizer of bitsandbytes</source><translation>bitsandbytes 的 8 位优化器</translation></message>
    <message><source>is not the state of a torch optimizer: it lacks &quot;state&quot; or &quot;param_groups&quot;</source><translation>不是 torch 优化器的状态：缺少 &quot;state&quot; 或 &quot;param_groups&quot;</translation></message>
    <message><source>has no group of parameters</source><translation>没有参数组</translation></message>
    <message><source>is the state of one optimizer, the recipe has several (optimizer.groups): start from the folder&apos;s weights (model.weights)</source><translation>是单个优化器的状态，而配方有多个（optimizer.groups）：请从该文件夹的权重开始（model.weights）</translation></message>
    <message><source>is the state of {}, the trainer has {}: set optimizer.name to that one where recipes have it, or start from the folder&apos;s weights (model.weights) to train on with {}</source><translation>是 {} 的状态，而训练器使用 {}：若配方支持前者，请将 optimizer.name 设为它；或从该文件夹的权重开始（model.weights），用 {} 继续训练</translation></message>
    <message><source>an optimizer whose groups have the settings {}</source><translation>参数组含有设置 {} 的优化器</translation></message>
    <message><source>{} with amsgrad</source><translation>带 amsgrad 的 {}</translation></message>
    <message><source>{} without amsgrad</source><translation>不带 amsgrad 的 {}</translation></message>
    <message><source>AdamW without the correction of the moments&apos; bias</source><translation>不做矩偏差校正的 AdamW</translation></message>
    <message><source>AdamW with weight_decay {} beside the gradients</source><translation>weight_decay {} 独立于梯度的 AdamW</translation></message>
    <message><source>Adam with weight_decay {} added to the gradients</source><translation>weight_decay {} 加到梯度上的 Adam</translation></message>
    <message><source>has a group without &quot;params&quot;</source><translation>有一个组没有 &quot;params&quot;</translation></message>
    <message><source>an optimizer that maximizes</source><translation>做最大化的优化器</translation></message>
    <message><source>was saved after the eval() of {}: the weights beside it are the average, from which training cannot continue. Save it again after train(), or start from the folder&apos;s weights (model.weights)</source><translation>是在 {} 的 eval() 之后保存的：旁边的权重是平均，训练不能从它继续。请在 train() 之后重新保存，或从该文件夹的权重开始（model.weights）</translation></message>
    <message><source>has a group whose {}</source><translation>有一个组不正确：{}</translation></message>
    <message><source>counts its parameters by something else than whole numbers</source><translation>的参数编号不是整数</translation></message>
    <message><source>has a group with other numbers of &quot;params&quot; and of &quot;param_names&quot;</source><translation>有一个组的 &quot;params&quot; 与 &quot;param_names&quot; 数量不同</translation></message>
    <message><source>moments of shape [{}]</source><translation>形状为 [{}] 的矩</translation></message>
    <message><source>other moments</source><translation>其他矩</translation></message>
    <message><source>has {} parameters, the recipe&apos;s model has {} and trains {} of them</source><translation>有 {} 个参数，而配方的模型有 {} 个并训练其中 {} 个</translation></message>
    <message><source>has {} parameters, the recipe&apos;s model has {}</source><translation>有 {} 个参数，配方的模型有 {} 个</translation></message>
    <message><source>has a parameter &apos;{}&apos;, which the recipe&apos;s model lacks</source><translation>有参数 &apos;{}&apos;，而配方的模型没有</translation></message>
    <message><source>has {} of {}, the recipe&apos;s model needs [{}]</source><translation>中 {1} 对应 {0}，配方的模型需要 [{2}]</translation></message>
    <message><source>has the parameter {} twice</source><translation>中参数 {} 出现了两次</translation></message>
    <message><source>does not fit the recipe&apos;s model: none of its {} has moments of shape [{}] for {}</source><translation>与配方的模型不匹配：其{}都没有形状为 [{}]、用于 {} 的矩</translation></message>
    <message><source>parameters at that place</source><translation>该位置的参数</translation></message>
    <message><source>groups</source><translation>组</translation></message>
    <message><source>leaves open which parameters its {} groups are of: it holds no names, and the shapes fit in several ways. Save it from an optimizer that was made of named parameters (torch 2.6 or newer), or start from the folder&apos;s weights (model.weights)</source><translation>无法确定其 {} 个组对应哪些参数：其中没有名称，而形状有多种匹配方式。请从以命名参数创建的优化器保存（torch 2.6 或更新版本），或从该文件夹的权重开始（model.weights）</translation></message>
    <message><source>has no {} of {}: it is the state of another optimizer than {}</source><translation>中没有 {1} 的 {0}：它是 {2} 以外的优化器的状态</translation></message>
    <message><source>has a {} of {} that is not a number</source><translation>中 {1} 的 {0} 不是数值</translation></message>
    <message><source>has a {} of another shape than {} needs</source><translation>中 {} 的形状与 {} 所需的不同</translation></message>
    <message><source>{} is {} as the recipe says, not {}</source><translation>{} 按配方为 {}，而不是 {}</translation></message>
    <message><source>the weight decay of {} is {} as the recipe says, not {}</source><translation>{} 的权重衰减按配方为 {}，而不是 {}</translation></message>
    <message><source>{} (and {} more)</source><translation>{}（另有 {} 个）</translation></message>
    <message><source>{} in {} holds NaN</source><translation>{1} 中的 {0} 含有 NaN</translation></message>
    <message><source>{} in {} holds infinite numbers</source><translation>{1} 中的 {0} 含有无穷大的数</translation></message>
    <message><source>{} was written a second time: {}</source><translation>{} 被写入了第二次：{}</translation></message>
    <message><source>{} (a second attempt as well)</source><translation>{}（第二次尝试也如此）</translation></message>
    <message><source>&apos;{}&apos; is not a valid name for a file of a checkpoint</source><translation>&apos;{}&apos; 不能作为 checkpoint 文件的名称</translation></message>
    <message><source>the file {} is to be saved twice</source><translation>文件 {} 将被保存两次</translation></message>
    <message><source>begin of a save</source><translation>保存的开始</translation></message>
    <message><source>rank 0 cannot begin to save {}</source><translation>rank 0 无法开始保存 {}</translation></message>
    <message><source>copies of a save</source><translation>保存用的副本</translation></message>
    <message><source>another rank cannot begin to save {}</source><translation>另一个 rank 无法开始保存 {}</translation></message>
    <message><source>rank {} has not written its part of {} within {} s</source><translation>rank {0} 在 {2} s 内没有写完 {1} 中自己的部分</translation></message>
    <message><source>rank 0 gave up to save {}</source><translation>rank 0 放弃了保存 {}</translation></message>
    <message><source>rank 0 has not finished {} within {} s</source><translation>rank 0 在 {1} s 内没有完成 {0}</translation></message>
    <message><source>cannot save in the background: there are no {} of memory for the copy ({}): save without checkpoint.async, or with less in memory</source><translation>无法后台保存：没有 {} 内存用于副本（{}）：请不使用 checkpoint.async 保存，或减少内存占用</translation></message>
    <message><source>cannot save {}: it is not a dense tensor with data</source><translation>无法保存 {}：它不是含有数据的稠密张量</translation></message>
    <message><source>{} holds more than {} files besides the checkpoint: name another folder</source><translation>除 checkpoint 外，{} 中还有超过 {} 个文件：请指定其他文件夹</translation></message>
    <message><source>cannot save in {}: it is not a folder</source><translation>无法保存到 {}：它不是文件夹</translation></message>
    <message><source>the folder that rank 0 has made for {} does not exist here: save to a folder that all ranks see (or, where each machine has a disk of its own, set project.save_on_each_node of the Accelerator)</source><translation>rank 0 为 {} 创建的文件夹在此处不存在：请保存到所有 rank 都能看到的文件夹（若每台机器有自己的磁盘，请设置 Accelerator 的 project.save_on_each_node）</translation></message>
    <message><source>rank {} died while {} was being saved</source><translation>rank {} 在保存 {} 期间意外终止</translation></message>
    <message><source>{} is damaged: {}</source><translation>{} 已损坏：{}</translation></message>
    <message><source>rank {}: {}</source><translation>rank {}：{}</translation></message>
    <message><source>two ranks wrote {}</source><translation>两个 rank 都写入了 {}</translation></message>
    <message><source>cannot save {}</source><translation>无法保存 {}</translation></message>
    <message><source>is nested more than {} deep</source><translation>嵌套超过 {} 层</translation></message>
    <message><source>repeats its objects without end</source><translation>无休止地重复其对象</translation></message>
    <message><source>holds a tensor of the unknown type {}</source><translation>含有未知类型 {} 的张量</translation></message>
    <message><source>{}: &apos;{}&apos; is not a dense tensor in CPU memory</source><translation>{}：&apos;{}&apos; 不是 CPU 内存中的稠密张量</translation></message>
    <message><source>{}: two tensors of different types share memory in a way that no file can hold</source><translation>{}：两个不同类型的张量以文件无法表示的方式共用内存</translation></message>
    <message><source>{} has elements of type {}, which torch does not know</source><translation>{} 的元素类型为 {}，而 torch 不支持该类型</translation></message>
    <message><source>&apos;{}&apos; has elements of type {}, which safetensors files cannot hold: save with safe_serialization off</source><translation>&apos;{}&apos; 的元素类型为 {}，safetensors 文件无法保存该类型：请关闭 safe_serialization 后保存</translation></message>
    <message><source>same effective batch with accumulation {}</source><translation>有效 batch 不变，累积 {}</translation></message>
    <message><source>same effective batch with {} per rank</source><translation>有效 batch 不变，每个 rank {}</translation></message>
    <message><source>same effective batch with {} per rank and accumulation {}</source><translation>有效 batch 不变，每个 rank {}，累积 {}</translation></message>
    <message><source>the learning rate as it is</source><translation>学习率不变</translation></message>
    <message><source>the learning rate in proportion</source><translation>学习率按比例变化</translation></message>
    <message><source>the learning rate with the square root</source><translation>学习率按平方根变化</translation></message>
    <message><source>nothing changes</source><translation>没有变化</translation></message>
    <message><source>effective batch {}, {}</source><translation>有效 batch {}，{}</translation></message>
    <message><source>distributed_type is missing: set it, e.g. to DATA_PARALLEL, or to NO for one device</source><translation>缺少 distributed_type：请设置，例如 DATA_PARALLEL，单个设备用 NO</translation></message>
    <message><source>distributed_type is missing: set it, e.g. to MULTI_GPU, or to NO for one process</source><translation>缺少 distributed_type：请设置，例如 MULTI_GPU，单个进程用 NO</translation></message>
    <message><source>ec2_instance_type is missing: set it, e.g. to ml.p3.2xlarge</source><translation>缺少 ec2_instance_type：请设置，例如 ml.p3.2xlarge</translation></message>
    <message><source>iam_role_name is missing: set the role that SageMaker works with</source><translation>缺少 iam_role_name：请设置 SageMaker 使用的角色</translation></message>
    <message><source>{} holds {}, not keys: remove it or give it keys</source><translation>{} 的内容是 {}，而不是键：请删除它或为其填写键</translation></message>
    <message><source>num_processes is not set: set it, or give --num_processes at each launch</source><translation>未设置 num_processes：请设置它，或在每次启动时给出 --num_processes</translation></message>
    <message><source>{} was read up to Accelerate {}: remove it</source><translation>{} 只读到 Accelerate {} 为止：请删除</translation></message>
    <message><source>{} is not a known key: it is written {} today</source><translation>{} 不是已知的键：现在写作 {}</translation></message>
    <message><source>{} is not a known key: did you mean {}?</source><translation>{} 不是已知的键：是否想写 {}？</translation></message>
    <message><source>{} is not a known key: remove it</source><translation>{} 不是已知的键：请删除</translation></message>
    <message><source>{} is not a port: use 0 to 65535, 0 picks a free one</source><translation>{} 不是端口：请用 0 到 65535，0 表示选择空闲端口</translation></message>
    <message><source>{} is too small: use {} or more</source><translation>{} 太小：请用 {} 或更大</translation></message>
    <message><source>{} is not allowed: use {}</source><translation>不允许 {}：请用 {}</translation></message>
    <message><source>{} is not allowed: use {} to {}</source><translation>不允许 {}：请用 {} 到 {}</translation></message>
    <message><source>{} is not known: did you mean &apos;{}&apos;?</source><translation>未知的 {}：是否想写 &apos;{}&apos;？</translation></message>
    <message><source>{} is not known: use {}</source><translation>未知的 {}：请用 {}</translation></message>
    <message><source>{} or {}</source><translation>{} 或 {}</translation></message>
    <message><source>{} is not a truth value: use true or false</source><translation>{} 不是布尔值：请用 true 或 false</translation></message>
    <message><source>{} is not a whole number or &apos;{}&apos;: use one such as {}</source><translation>{} 既不是整数也不是 &apos;{}&apos;：请使用如 {} 的值</translation></message>
    <message><source>{} is not a whole number: use one such as {}</source><translation>{} 不是整数：请使用如 {} 的值</translation></message>
    <message><source>{} is not a number or &apos;{}&apos;: use one such as 1.0</source><translation>{} 既不是数字也不是 &apos;{}&apos;：请使用如 1.0 的值</translation></message>
    <message><source>{} is not a number: use one such as 1.0</source><translation>{} 不是数字：请使用如 1.0 的值</translation></message>
    <message><source>{} is not a text: write it in one line, between quotes</source><translation>{} 不是文本：请写在一行内并加引号</translation></message>
    <message><source>{} is not one of {}</source><translation>{} 不是 {} 之一</translation></message>
    <message><source>{} is not a list of texts: write one per line, each after &apos;- &apos;</source><translation>{} 不是文本列表：请每行写一个，前面加 &apos;- &apos;</translation></message>
    <message><source>{} is not a list of three truth values: use one such as [false, false, true]</source><translation>{} 不是三个布尔值的列表：请用例如 [false, false, true]</translation></message>
    <message><source>{} is not a table of keys</source><translation>{} 不是键的表</translation></message>
    <message><source>is missing: DeepSpeed needs this table, at least with a stage</source><translation>缺失：DeepSpeed 需要此表，至少包含 stage</translation></message>
    <message><source>{} has no place among Accelerate&apos;s keys and stays behind: keep the file as deepspeed_config_file if you need it</source><translation>{} 在 Accelerate 的键中没有位置，未被采用：如有需要，请将该文件保留为 deepspeed_config_file</translation></message>
    <message><source>{} is auto and was left out: the script decides</source><translation>{} 为 auto，已略过：由脚本决定</translation></message>
    <message><source>{} became {}</source><translation>{} 变为 {}</translation></message>
    <message><source>fp16 and bf16 are both enabled: keep one</source><translation>fp16 和 bf16 同时启用：请只保留一个</translation></message>
    <message><source>{}.enabled became mixed_precision: {}</source><translation>{}.enabled 变为 mixed_precision：{}</translation></message>
    <message><source>holds no table of keys: a DeepSpeed file begins with {</source><translation>不含键的表：DeepSpeed 文件以 { 开头</translation></message>
    <message><source>{} was dropped: {}</source><translation>已去掉 {}：{}</translation></message>
    <message><source>NO_SHARD became fsdp_reshard_after_forward: false, but FSDP 2 still shards: for whole copies use distributed_type MULTI_GPU</source><translation>NO_SHARD 变为 fsdp_reshard_after_forward: false，但 FSDP 2 仍会分片：要完整副本请用 distributed_type MULTI_GPU</translation></message>
    <message><source>{} became fsdp_reshard_after_forward: {}; to keep a copy on each machine, set parallelism_config_dp_replicate_size to the number of machines and parallelism_config_dp_shard_size to the processes of one</source><translation>{} 变为 fsdp_reshard_after_forward: {}；要在每台机器上保留一份副本，请将 parallelism_config_dp_replicate_size 设为机器数，并将 parallelism_config_dp_shard_size 设为每台机器的进程数</translation></message>
    <message><source>{} became fsdp_reshard_after_forward: {}</source><translation>{} 变为 fsdp_reshard_after_forward: {}</translation></message>
    <message><source>there is no fsdp_config: nothing to convert</source><translation>没有 fsdp_config：无需转换</translation></message>
    <message><source>fsdp_version is 2 already: nothing to convert</source><translation>fsdp_version 已是 2：无需转换</translation></message>
    <message><source>FSDP 2 always does it</source><translation>FSDP 2 总是这样做</translation></message>
    <message><source>FSDP 2 prefetches automatically</source><translation>FSDP 2 自行预取</translation></message>
    <message><source>FSDP 2 does not have it yet</source><translation>FSDP 2 尚不支持</translation></message>
    <message><source>FSDP 2 has no need of it</source><translation>FSDP 2 不需要它</translation></message>
    <message><source>LOCAL_STATE_DICT became SHARDED_STATE_DICT: FSDP 2 has no local checkpoints</source><translation>LOCAL_STATE_DICT 变为 SHARDED_STATE_DICT：FSDP 2 没有本地 checkpoint</translation></message>
    <message><source>ipex_config is of Accelerate 0.19 to 1.12 and was dropped: PyTorch itself now does what it asked for</source><translation>ipex_config 属于 Accelerate 0.19 到 1.12，已去掉：其功能现由 PyTorch 自身完成</translation></message>
    <message><source>distributed_type: TPU became XLA, its name since 0.28</source><translation>distributed_type: TPU 变为 XLA，自 0.28 起的名称</translation></message>
    <message><source>TP is of Accelerate 1.4 to 1.6: use FSDP with fsdp_version 2 and set parallelism_config_tp_size</source><translation>TP 属于 Accelerate 1.4 到 1.6：请用 fsdp_version 2 的 FSDP 并设置 parallelism_config_tp_size</translation></message>
    <message><source>fp16 was dropped: mixed_precision is given, too, and counts</source><translation>已去掉 fp16：同时给出了 mixed_precision，以它为准</translation></message>
    <message><source>fp16: the text &apos;{}&apos; counts as true, as in Accelerate, and became mixed_precision: fp16: write mixed_precision: &apos;no&apos; if that is meant</source><translation>fp16：文本 &apos;{}&apos; 与 Accelerate 一样视为 true，变为 mixed_precision: fp16：若本意如此，请写 mixed_precision: &apos;no&apos;</translation></message>
    <message><source>fp16: true became mixed_precision: fp16</source><translation>fp16: true 变为 mixed_precision: fp16</translation></message>
    <message><source>fp16: false was dropped: without mixed_precision nothing is mixed</source><translation>已去掉 fp16: false：没有 mixed_precision 就不使用混合精度</translation></message>
    <message><source>dynamo_config was replaced: dynamo_backend of Accelerate 0.15 is given, too, and counts there</source><translation>已替换 dynamo_config：同时给出了 Accelerate 0.15 的 dynamo_backend，以它为准</translation></message>
    <message><source>dynamo_backend: NO was dropped: nothing is compiled</source><translation>已去掉 dynamo_backend: NO：不进行编译</translation></message>
    <message><source>dynamo_backend moved into dynamo_config</source><translation>dynamo_backend 已移入 dynamo_config</translation></message>
    <message><source>tp_config is of Accelerate 1.4 to 1.6 and was dropped: parallelism_config has taken its place</source><translation>tp_config 属于 Accelerate 1.4 到 1.6，已去掉：由 parallelism_config 取代</translation></message>
    <message><source>tp_size moved to parallelism_config.parallelism_config_tp_size</source><translation>tp_size 已移至 parallelism_config.parallelism_config_tp_size</translation></message>
    <message><source>does not belong to compute_environment {}: remove it</source><translation>不属于 compute_environment {}：请删除</translation></message>
    <message><source>is at the top level: move it into {}</source><translation>位于顶层：请移入 {}</translation></message>
    <message><source>is not a known key: did you mean &apos;{}&apos;?</source><translation>不是已知的键：是否想写 &apos;{}&apos;？</translation></message>
    <message><source>is not a known key: remove it</source><translation>不是已知的键：请删除</translation></message>
    <message><source>{} is not a table of keys: write its keys below it, indented by two spaces</source><translation>{} 不是键的表：请将其键写在下面，缩进两个空格</translation></message>
    <message><source>{} is not a known key of {} and was kept as it is: did you mean &apos;{}&apos;?</source><translation>{} 不是 {} 的已知键，已原样保留：是否想写 &apos;{}&apos;？</translation></message>
    <message><source>{} is not a known key of {} and was kept as it is</source><translation>{} 不是 {} 的已知键，已原样保留</translation></message>
    <message><source>{} was dropped: {} is given, too, and counts</source><translation>已去掉 {}：同时给出了 {}，以它为准</translation></message>
    <message><source>{} is written {} today</source><translation>{} 现在写作 {}</translation></message>
    <message><source>{} was read up to Accelerate {}; it was kept</source><translation>{} 只读到 Accelerate {} 为止；已保留</translation></message>
    <message><source>{} was read as {}</source><translation>{} 被读作 {}</translation></message>
    <message><source>{} was read as the list {}</source><translation>{} 被读作列表 {}</translation></message>
    <message><source>{} is a strategy of FSDP 1: with fsdp_version 2 use {}</source><translation>{} 是 FSDP 1 的策略：使用 fsdp_version 2 时请用 {}</translation></message>
    <message><source>fsdp_reshard_after_forward was dropped: FSDP 1 reads fsdp_sharding_strategy, which is given</source><translation>已去掉 fsdp_reshard_after_forward：FSDP 1 读取的是已给出的 fsdp_sharding_strategy</translation></message>
    <message><source>{} moved from fsdp_reshard_after_forward to fsdp_sharding_strategy, where FSDP 1 reads it</source><translation>{} 已从 fsdp_reshard_after_forward 移至 FSDP 1 所读取的 fsdp_sharding_strategy</translation></message>
    <message><source>is missing: add it, e.g. distributed_type: DATA_PARALLEL, or &apos;NO&apos; for one device</source><translation>缺失：请添加，例如 distributed_type: DATA_PARALLEL，单个设备用 &apos;NO&apos;</translation></message>
    <message><source>is missing: add it, e.g. distributed_type: MULTI_GPU, or &apos;NO&apos; for one process</source><translation>缺失：请添加，例如 distributed_type: MULTI_GPU，单个进程用 &apos;NO&apos;</translation></message>
    <message><source>is missing: add it, e.g. ec2_instance_type: ml.p3.2xlarge</source><translation>缺失：请添加，例如 ec2_instance_type: ml.p3.2xlarge</translation></message>
    <message><source>is missing: add the role that SageMaker works with</source><translation>缺失：请添加 SageMaker 使用的角色</translation></message>
    <message><source>names nothing: write LOCAL_MACHINE or AMAZON_SAGEMAKER, or remove the key</source><translation>没有值：请写 LOCAL_MACHINE 或 AMAZON_SAGEMAKER，或删除该键</translation></message>
    <message><source>is empty: write settings as `key: value` lines, at least distributed_type</source><translation>为空：请以 `key: value` 行书写设置，至少包含 distributed_type</translation></message>
    <message><source>holds {}, not keys: write settings as `key: value` lines, at least distributed_type</source><translation>内容是 {}，而不是键：请以 `key: value` 行书写设置，至少包含 distributed_type</translation></message>
    <message><source>{}: {} is not a whole number</source><translation>{}：{} 不是整数</translation></message>
    <message><source>{}: {} is not a number</source><translation>{}：{} 不是数字</translation></message>
    <message><source>{}: {} is out of range, use {} to {}</source><translation>{}：{} 超出范围，请使用 {} 到 {}</translation></message>
    <message><source>{}: {} is out of range, use {} or more</source><translation>{}：{} 超出范围，请使用 {} 或更大的值</translation></message>
    <message><source>{}: {} is not one of {}</source><translation>{}：{} 不是 {} 之一</translation></message>
    <message><source>{}: answer yes or no, not {}</source><translation>{}：请回答 yes 或 no，而不是 {}</translation></message>
    <message><source>torch.compile without mixed precision needs TF32 to be fast: Accelerate switches it on</source><translation>不使用混合精度时 torch.compile 需要 TF32 才快：Accelerate 会启用它</translation></message>
    <message><source>access keys are not stored: launch reads AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY from the environment</source><translation>不保存访问密钥：launch 从环境中读取 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY</translation></message>
    <message><source>the role accelerate_sagemaker_execution_role is named, not made: where the account lacks it, create it with `aws iam create-role` and let it use SageMaker, S3, ECR and CloudWatch</source><translation>只写明角色 accelerate_sagemaker_execution_role，并不创建：账户中没有时，请用 `aws iam create-role` 创建并允许其使用 SageMaker、S3、ECR 和 CloudWatch</translation></message>
    <message><source>FSDP does not run on Neuron cores: answer no, or choose another machine type</source><translation>FSDP 不能在 Neuron 核心上运行：请回答 no，或选择其他机器类型</translation></message>
    <message><source>MULTI_GPU with 1 process on 1 machine uses one GPU only: take 2 or more, or choose the machine type NO</source><translation>MULTI_GPU 在 1 台机器上用 1 个进程只使用一个 GPU：请用 2 个或更多，或选择机器类型 NO</translation></message>
    <message><source>gpu_ids {} is not a list of device numbers: use all, or numbers with commas such as 0,1</source><translation>gpu_ids {} 不是设备编号列表：请用 all，或以逗号分隔的数字，例如 0,1</translation></message>
    <message><source>main_process_ip is missing: name the host or IP address of the machine with rank 0</source><translation>缺少 main_process_ip：请写出 rank 0 所在机器的主机名或 IP 地址</translation></message>
    <message><source>main_process_port is missing: name a port from 0 to 65535, 29500 is the usual one</source><translation>缺少 main_process_port：请给出 0 到 65535 的端口，通常为 29500</translation></message>
    <message><source>{} does not run on Neuron cores: answer no, or choose another machine type</source><translation>{} 不能在 Neuron 核心上运行：请回答 no，或选择其他机器类型</translation></message>
    <message><source>deepspeed_config_file is missing: give the DeepSpeed JSON file, or answer that no file is used</source><translation>缺少 deepspeed_config_file：请指定 DeepSpeed JSON，或回答没有</translation></message>
    <message><source>{} is given beside deepspeed_config_file, which DeepSpeed refuses: remove it here and set it in {}</source><translation>{} 与 deepspeed_config_file 同时给出，DeepSpeed 不接受：请在此删除并在 {} 中设置</translation></message>
    <message><source>mixed_precision is given beside deepspeed_config_file, which DeepSpeed refuses: remove it here and set fp16 or bf16 in {}</source><translation>mixed_precision 与 deepspeed_config_file 同时给出，DeepSpeed 不接受：请在此删除并在 {} 中设置 fp16 或 bf16</translation></message>
    <message><source>offload_optimizer_device {} needs ZeRO, but zero_stage is 0: use zero_stage 1 to 3, or none</source><translation>offload_optimizer_device {} 需要 ZeRO，但 zero_stage 为 0：请用 zero_stage 1 到 3，或 none</translation></message>
    <message><source>offload_param_device {} needs zero_stage 3, but it is {}: use zero_stage 3, or none</source><translation>offload_param_device {} 需要 zero_stage 3，但它是 {}：请用 zero_stage 3，或 none</translation></message>
    <message><source>offload_optimizer_device cpu has no effect with use_cpu, since the optimizer state is in that memory anyway: set it to none</source><translation>使用 use_cpu 时 offload_optimizer_device cpu 无效，因为优化器状态本来就在该内存中：请设为 none</translation></message>
    <message><source>offload_{0}_device is nvme, but offload_{0}_nvme_path names no folder: /nvme is taken, so set the folder of your disk</source><translation>offload_{0}_device 为 nvme，但 offload_{0}_nvme_path 未指定文件夹：将使用 /nvme，请设置磁盘上的文件夹</translation></message>
    <message><source>zero3_init_flag is true, but only zero_stage 3 builds a model sharded and it is {}: set it to false</source><translation>zero3_init_flag 为 true，但只有 zero_stage 3 会分片构建模型，而它是 {}：请设为 false</translation></message>
    <message><source>distributed_type DEEPSPEED needs the Python package deepspeed, which this machine does not have: install it (pip install deepspeed), or use FSDP</source><translation>distributed_type DEEPSPEED 需要 Python 包 deepspeed，本机没有：请安装（pip install deepspeed），或使用 FSDP</translation></message>
    <message><source>deepspeed_multinode_launcher nossh needs DeepSpeed 0.14.5, this machine has {}: install a newer one, or use pdsh</source><translation>deepspeed_multinode_launcher nossh 需要 DeepSpeed 0.14.5，本机为 {}：请安装更新的版本，或使用 pdsh</translation></message>
    <message><source>deepspeed_moe_layer_cls_names needs DeepSpeed 0.14.0, this machine has {}: install a newer one, or remove it</source><translation>deepspeed_moe_layer_cls_names 需要 DeepSpeed 0.14.0，本机为 {}：请安装更新的版本，或删除该键</translation></message>
    <message><source>deepspeed_hostfile is missing: DeepSpeed then looks for /job/hostfile, so name your own</source><translation>缺少 deepspeed_hostfile：DeepSpeed 会查找 /job/hostfile，请指定自己的文件</translation></message>
    <message><source>deepspeed_inclusion_filter is passed over beside deepspeed_exclusion_filter: remove one of them</source><translation>与 deepspeed_exclusion_filter 同时给出时忽略 deepspeed_inclusion_filter：请删除其一</translation></message>
    <message><source>backend MSAMP does not work with zero_stage 3: use TE or AO, or zero_stage 2</source><translation>backend MSAMP 不能与 zero_stage 3 一起使用：请用 TE 或 AO，或 zero_stage 2</translation></message>
    <message><source>nothing is set both here and in DeepSpeed&apos;s own file</source><translation>没有任何项同时在此处和 DeepSpeed 自己的文件中设置</translation></message>
    <message><source>what is offloaded is sharded</source><translation>被卸载的内容已分片</translation></message>
    <message><source>what is offloaded to the CPU comes from another device</source><translation>卸载到 CPU 的内容来自其他设备</translation></message>
    <message><source>offloading to NVMe has a folder</source><translation>卸载到 NVMe 有对应的文件夹</translation></message>
    <message><source>only ZeRO stage 3 builds the model sharded</source><translation>只有 ZeRO 第 3 级分片构建模型</translation></message>
    <message><source>DeepSpeed is there, in a version that can do it</source><translation>DeepSpeed 已安装且版本支持</translation></message>
    <message><source>DeepSpeed&apos;s launcher knows its hosts</source><translation>DeepSpeed 的启动器知道其主机</translation></message>
    <message><source>MS-AMP is not combined with ZeRO stage 3</source><translation>MS-AMP 不与 ZeRO 第 3 级组合</translation></message>
    <message><source>machine_rank {} is not there with one machine: use 0</source><translation>只有一台机器时没有 machine_rank {}：请用 0</translation></message>
    <message><source>machine_rank {} is not one of {} machines: use 0 to {}</source><translation>machine_rank {} 不在 {} 台机器之中：请用 0 到 {}</translation></message>
    <message><source>num_processes {} is less than one for each of {} machines: it counts all machines together, use {} or a multiple</source><translation>num_processes {} 不足以让 {} 台机器各有一个：它统计所有机器的总数，请用 {} 或其倍数</translation></message>
    <message><source>num_processes {} cannot be shared out evenly over {} machines: use {} or {}, or say with --hosts how many each machine starts</source><translation>num_processes {} 无法均分到 {} 台机器：请用 {} 或 {}，或用 --hosts 指明每台机器启动几个</translation></message>
    <message><source>main_process_ip &quot;{}&quot; is neither a host name nor an address: leave blanks, slashes, quotes, a leading dash and characters that a shell interprets out</source><translation>main_process_ip &quot;{}&quot; 既不是主机名也不是地址：请去掉空格、斜杠、引号、开头的短横线以及会被 shell 解释的字符</translation></message>
    <message><source>main_process_ip is missing: {} machines meet at the address of the one with machine_rank 0, so name it</source><translation>缺少 main_process_ip：{} 台机器在 machine_rank 0 的机器地址会合，请写出该地址</translation></message>
    <message><source>main_process_ip {} is every machine&apos;s own address: name the one by which the others reach the main machine</source><translation>main_process_ip {} 是每台机器自身的地址：请写出其他机器访问主机器所用的地址</translation></message>
    <message><source>main_process_port is missing: several machines meet at one port, the same on all of them, e.g. 29500</source><translation>缺少 main_process_port：多台机器在同一端口会合，所有机器须相同，例如 29500</translation></message>
    <message><source>main_process_port 0 picks a free port, which the other machines do not know: use the same number on all, e.g. 29500</source><translation>main_process_port 0 选择空闲端口，其他机器无从得知：请在所有机器上用相同的端口号，例如 29500</translation></message>
    <message><source>main_process_port {} is open to root only: use 1024 to 65535, or 0 for a free one</source><translation>main_process_port {} 只对 root 开放：请用 1024 到 65535，或用 0 取空闲端口</translation></message>
    <message><source>main_process_port {} is used by another program: a free one will be taken, as 0 asks for</source><translation>main_process_port {} 已被其他程序占用：将像 0 那样取空闲端口</translation></message>
    <message><source>main_process_port {} is used by another program on this machine: choose another one, the same on all machines</source><translation>main_process_port {} 已被本机的其他程序占用：请选择另一个，所有机器须相同</translation></message>
    <message><source>distributed_type NO is for one process, but num_processes is {}: use MULTI_CPU</source><translation>distributed_type NO 用于单个进程，但 num_processes 为 {}：请用 MULTI_CPU</translation></message>
    <message><source>distributed_type NO is for one process, but num_processes is {}: use MULTI_GPU or MULTI_CPU</source><translation>distributed_type NO 用于单个进程，但 num_processes 为 {}：请用 MULTI_GPU 或 MULTI_CPU</translation></message>
    <message><source>num_processes 1 is not several: use 2 or more with {}, or distributed_type NO</source><translation>num_processes 1 不是多个：使用 {} 时请用 2 个或更多，或用 distributed_type NO</translation></message>
    <message><source>use_cpu is true, but {} trains on accelerators: set it to false, or use MULTI_CPU</source><translation>use_cpu 为 true，但 {} 在加速器上训练：请设为 false，或用 MULTI_CPU</translation></message>
    <message><source>gpu_ids: &quot;{}&quot; is not the number of a device: use all, or numbers as in 0,1</source><translation>gpu_ids：&quot;{}&quot; 不是设备编号：请用 all，或如 0,1 的数字</translation></message>
    <message><source>gpu_ids names device {} twice: name each once</source><translation>gpu_ids 两次列出设备 {}：每个只列一次</translation></message>
    <message><source>gpu_ids names device {}, but this machine has {}: use 0 to {}</source><translation>gpu_ids 列出设备 {}，但本机有 {}：请用 0 到 {}</translation></message>
    <message><source>1 device</source><translation>1 个设备</translation></message>
    <message><source>{} devices</source><translation>{} 个设备</translation></message>
    <message><source>gpu_ids names one device, but {} needs two or more: name more, or use distributed_type NO</source><translation>gpu_ids 只列出一个设备，但 {} 需要两个或更多：请列出更多，或用 distributed_type NO</translation></message>
    <message><source>num_processes asks for {} processes on each machine, but gpu_ids names {}: each process needs one, so make them equal</source><translation>num_processes 要求每台机器 {} 个进程，但 gpu_ids 列出 {}：每个进程需要一个，请使两者相等</translation></message>
    <message><source>num_processes asks for {} processes on this machine, which has {}: use {}</source><translation>num_processes 要求本机 {} 个进程，而本机有 {}：请用 {}</translation></message>
    <message><source>distributed_type {} is for {} devices, but this machine has {}: use {}</source><translation>distributed_type {} 用于 {} 设备，但本机有 {}：请用 {}</translation></message>
    <message><source>rdzv_backend &quot;{}&quot; is not one of torchrun&apos;s backends: did you mean {}?</source><translation>rdzv_backend &quot;{}&quot; 不是 torchrun 自带的：是否想写 {}？</translation></message>
    <message><source>rdzv_backend &quot;{}&quot; is not one of torchrun&apos;s backends (static, c10d, etcd, etcd-v2): it must be registered on every machine</source><translation>rdzv_backend &quot;{}&quot; 不是 torchrun 自带的（static、c10d、etcd、etcd-v2）：它必须在每台机器上注册</translation></message>
    <message><source>mpirun_hostfile asks for MPI, but neither mpirun nor mpiexec is on this machine: install Open MPI, Intel MPI or MVAPICH, or remove mpirun_hostfile</source><translation>mpirun_hostfile 需要 MPI，但本机既没有 mpirun 也没有 mpiexec：请安装 Open MPI、Intel MPI 或 MVAPICH，或删除 mpirun_hostfile</translation></message>
    <message><source>{} has no effect: it counts only when {}</source><translation>{} 无效：仅当 {} 时起作用</translation></message>
    <message><source>machine_rank is one of the machines</source><translation>machine_rank 是其中一台机器</translation></message>
    <message><source>the processes can be shared out evenly over the machines</source><translation>进程可以均分到各机器</translation></message>
    <message><source>several machines have an address to meet at</source><translation>多台机器有会合的地址</translation></message>
    <message><source>several machines without a rendezvous have a port to meet at</source><translation>没有 rendezvous 的多台机器有会合的端口</translation></message>
    <message><source>several machines do not meet at a port that only one of them knows</source><translation>多台机器不在只有其中一台知道的端口会合</translation></message>
    <message><source>the port is open to everybody</source><translation>端口对所有人开放</translation></message>
    <message><source>the port is free on this machine</source><translation>该端口在本机空闲</translation></message>
    <message><source>NO means one process, MULTI_ more than one</source><translation>NO 表示一个进程，MULTI_ 表示多个</translation></message>
    <message><source>use_cpu does not contradict the way of training</source><translation>use_cpu 与训练方式不矛盾</translation></message>
    <message><source>gpu_ids names devices, each once, that are there</source><translation>gpu_ids 列出的设备各一次且都存在</translation></message>
    <message><source>there is one device for each process</source><translation>每个进程有一个设备</translation></message>
    <message><source>the distributed type fits this machine&apos;s devices</source><translation>训练方式适用于本机的设备</translation></message>
    <message><source>rdzv_backend is one that torchrun has</source><translation>rdzv_backend 是 torchrun 自带的</translation></message>
    <message><source>mpirun is installed when it is used</source><translation>需要时有 mpirun</translation></message>
    <message><source>every key in the file has an effect</source><translation>没有无人读取的键</translation></message>
    <message><source>mixed_precision bf16 is not supported by this machine&apos;s device: use fp16, or no</source><translation>本机设备不支持 mixed_precision bf16：请用 fp16 或 no</translation></message>
    <message><source>mixed_precision fp8 needs an accelerator, but it trains on the CPU: use bf16, or no</source><translation>mixed_precision fp8 需要加速器，但在 CPU 上训练：请用 bf16 或 no</translation></message>
    <message><source>backend of fp8_config is missing: the first FP8 library that is installed is taken, so say AO, TE or MSAMP</source><translation>fp8_config 缺少 backend：将使用首个已安装的 FP8 库，请写明 AO、TE 或 MSAMP</translation></message>
    <message><source>mixed_precision fp8 needs torchao, Transformer Engine or MS-AMP, and this machine has none: install one, or use bf16</source><translation>mixed_precision fp8 需要 torchao、Transformer Engine 或 MS-AMP，本机都没有：请安装其一，或用 bf16</translation></message>
    <message><source>{} is missing: a launch on a pod goes to it by name and zone, so set it</source><translation>缺少 {}：在 pod 上启动需凭名称和区域访问它，请设置</translation></message>
    <message><source>tpu_env: &quot;{}&quot; is not a variable: write NAME=value</source><translation>tpu_env：&quot;{}&quot; 不是变量：请写 NAME=值</translation></message>
    <message><source>commands are passed over beside command_file: remove one of them</source><translation>与 command_file 同时给出时忽略 commands：请删除其一</translation></message>
    <message><source>downcast_bf16 has no effect without mixed_precision bf16: set it to false</source><translation>没有 mixed_precision bf16 时 downcast_bf16 无效：请设为 false</translation></message>
    <message><source>ec2_instance_type &quot;{}&quot; is not a type of SageMaker: these begin with ml., as in ml.p3.2xlarge</source><translation>ec2_instance_type &quot;{}&quot; 不是 SageMaker 的类型：它们以 ml. 开头，例如 ml.p3.2xlarge</translation></message>
    <message><source>ec2_instance_type {} is not one that Accelerate offers for DATA_PARALLEL: these are {}</source><translation>ec2_instance_type {} 不在 Accelerate 为 DATA_PARALLEL 提供的类型中，可用的有：{}</translation></message>
    <message><source>distributed_type MODEL_PARALLEL asks for SageMaker&apos;s model parallelism, which Accelerate does not support yet: the job is started without it, so take DATA_PARALLEL or NO</source><translation>distributed_type MODEL_PARALLEL 要求 SageMaker 的模型并行，Accelerate 尚不支持：作业启动时不会使用它，请用 DATA_PARALLEL 或 NO</translation></message>
    <message><source>profile is missing: a launch then needs AWS keys in the environment, so name a profile of ~/.aws</source><translation>缺少 profile：启动时需要环境中有 AWS 密钥，请写出 ~/.aws 中的配置文件</translation></message>
    <message><source>the device computes in bf16</source><translation>设备能以 bf16 计算</translation></message>
    <message><source>fp8 has an accelerator</source><translation>fp8 有加速器</translation></message>
    <message><source>fp8 says which library computes it</source><translation>fp8 指明由哪个库计算</translation></message>
    <message><source>a library for fp8 is there</source><translation>有可用的 fp8 库</translation></message>
    <message><source>a TPU pod has name and zone</source><translation>TPU pod 有名称和区域</translation></message>
    <message><source>variables of a TPU pod are NAME=value</source><translation>TPU pod 的变量写成 NAME=值</translation></message>
    <message><source>commands of a TPU pod are given in one place only</source><translation>TPU pod 的命令写在一处</translation></message>
    <message><source>double precision in bf16 needs bf16</source><translation>bf16 中的双精度需要 bf16</translation></message>
    <message><source>SageMaker knows the instance type</source><translation>SageMaker 认识该实例类型</translation></message>
    <message><source>SageMaker is not asked for model parallelism</source><translation>不要求 SageMaker 进行模型并行</translation></message>
    <message><source>SageMaker has credentials</source><translation>SageMaker 有凭据</translation></message>
    <message><source>fsdp_sync_module_states is false, but fsdp_cpu_ram_efficient_loading leaves the other processes without weights: set it to true</source><translation>fsdp_sync_module_states 为 false，但 fsdp_cpu_ram_efficient_loading 使其他进程没有权重：请设为 true</translation></message>
    <message><source>fsdp_state_dict_type LOCAL_STATE_DICT is of FSDP 1: use SHARDED_STATE_DICT</source><translation>fsdp_state_dict_type LOCAL_STATE_DICT 属于 FSDP 1：请用 SHARDED_STATE_DICT</translation></message>
    <message><source>fsdp_forward_prefetch is of FSDP 1, FSDP 2 refuses it: remove it</source><translation>fsdp_forward_prefetch 属于 FSDP 1，FSDP 2 不接受：请删除</translation></message>
    <message><source>fsdp_transformer_layer_cls_to_wrap has an empty place: name the classes as in LlamaDecoderLayer, or remove it for the model&apos;s own list</source><translation>fsdp_transformer_layer_cls_to_wrap 中有空项：请写出类名，例如 LlamaDecoderLayer，或删除它以使用模型自己的列表</translation></message>
    <message><source>fsdp_sharding_strategy {} keeps a copy on each machine, but there is one: {} does the same</source><translation>fsdp_sharding_strategy {} 在每台机器上保留一份副本，但只有一台：{} 效果相同</translation></message>
    <message><source>fsdp_version 1 has no mesh: parallelism_config needs FSDP 2, so use 2</source><translation>fsdp_version 1 没有网格：parallelism_config 需要 FSDP 2，请用 2</translation></message>
    <message><source>{} {} needs FSDP 2, but distributed_type is {}: use FSDP with fsdp_version 2, or remove it</source><translation>{} {} 需要 FSDP 2，但 distributed_type 为 {}：请用 fsdp_version 2 的 FSDP，或删除它</translation></message>
    <message><source>parallelism_config_sp_size {} needs DeepSpeed, but distributed_type is {}: use parallelism_config_cp_size, or DEEPSPEED</source><translation>parallelism_config_sp_size {} 需要 DeepSpeed，但 distributed_type 为 {}：请用 parallelism_config_cp_size，或 DEEPSPEED</translation></message>
    <message><source>parallelism_config_sp_size and parallelism_config_cp_size both split the sequence: set one of them to 1</source><translation>parallelism_config_sp_size 和 parallelism_config_cp_size 都切分序列：请将其中之一设为 1</translation></message>
    <message><source>{} {} does not divide {} processes: use {}</source><translation>{} {} 不能整除 {} 个进程：请用 {}</translation></message>
    <message><source>the mesh {} needs {} processes, num_processes is {}: {}</source><translation>网格 {} 需要 {} 个进程，num_processes 为 {}：{}</translation></message>
    <message><source>too many</source><translation>过多</translation></message>
    <message><source>set parallelism_config_dp_shard_size to {}</source><translation>请将 parallelism_config_dp_shard_size 设为 {}</translation></message>
    <message><source>make the product {}</source><translation>请使乘积为 {}</translation></message>
    <message><source>parallelism_config_dp_replicate_size {} cannot be combined with tensor or context parallelism unless parallelism_config_dp_shard_size is above 1: set it to 1</source><translation>除非 parallelism_config_dp_shard_size 大于 1，parallelism_config_dp_replicate_size {} 不能与张量或上下文并行组合：请设为 1</translation></message>
    <message><source>parallelism_config_sp_attn_implementation &quot;{}&quot; cannot be split by heads: use sdpa, flash_attention_2, flash_attention_3 or a flash-attn kernel of the hub</source><translation>parallelism_config_sp_attn_implementation &quot;{}&quot; 不能按头切分：请用 sdpa、flash_attention_2、flash_attention_3 或 hub 上的 flash-attn 内核</translation></message>
    <message><source>parallelism_config_sp_seq_length is missing: with sequences of one length it is needed, or set parallelism_config_sp_seq_length_is_variable to true</source><translation>缺少 parallelism_config_sp_seq_length：序列长度固定时需要它，否则请将 parallelism_config_sp_seq_length_is_variable 设为 true</translation></message>
    <message><source>parallelism_config_sp_seq_length {} is not a multiple of parallelism_config_sp_size {}: use {} or {}</source><translation>parallelism_config_sp_seq_length {} 不是 parallelism_config_sp_size {} 的倍数：请用 {} 或 {}</translation></message>
    <message><source>tensor, pipeline and context parallelism together take {} processes, which does not divide {}: use {} for {}</source><translation>张量、流水线和上下文并行共需 {0} 个进程，不能整除 {1}：请将 {3} 设为 {2}</translation></message>
    <message><source>megatron_lm_expert_model_parallel_size {} does not divide the {} processes of a pipeline stage: use {}</source><translation>megatron_lm_expert_model_parallel_size {} 不能整除一个流水线阶段的 {} 个进程：请用 {}</translation></message>
    <message><source>megatron_lm_overlap_cpu_optimizer_d2h_h2d has no effect: the optimizer is not on the CPU, so set megatron_lm_optimizer_cpu_offload, too</source><translation>megatron_lm_overlap_cpu_optimizer_d2h_h2d 无效：优化器不在 CPU 上，请同时设置 megatron_lm_optimizer_cpu_offload</translation></message>
    <message><source>{} has no effect with use_cpu, since everything is in that memory anyway: set it to false</source><translation>使用 use_cpu 时 {} 无效，因为一切本来就在该内存中：请设为 false</translation></message>
    <message><source>what FSDP offloads to the CPU comes from another device</source><translation>FSDP 卸载到 CPU 的内容来自其他设备</translation></message>
    <message><source>weights that one process loads are broadcast</source><translation>由一个进程加载的权重会被广播</translation></message>
    <message><source>FSDP 2 has no local checkpoints</source><translation>FSDP 2 没有本地 checkpoint</translation></message>
    <message><source>FSDP 2 has no forward prefetch</source><translation>FSDP 2 没有前向预取</translation></message>
    <message><source>the list of layer classes has no empty place</source><translation>层类列表中没有空项</translation></message>
    <message><source>wrapping by size has a size</source><translation>按大小包装有指定大小</translation></message>
    <message><source>a hybrid strategy has several machines</source><translation>混合策略有多台机器</translation></message>
    <message><source>a mesh has FSDP 2</source><translation>网格使用 FSDP 2</translation></message>
    <message><source>sequence parallelism has DeepSpeed</source><translation>序列并行使用 DeepSpeed</translation></message>
    <message><source>the sequence is split in one way</source><translation>序列只以一种方式切分</translation></message>
    <message><source>the mesh has as many places as there are processes</source><translation>网格的位置数与进程数相同</translation></message>
    <message><source>replicas of a tensor- or context-parallel model are sharded</source><translation>张量或上下文并行模型的副本已分片</translation></message>
    <message><source>sequence parallelism has an attention that can be split by heads</source><translation>序列并行有可按头切分的注意力</translation></message>
    <message><source>the sequence can be split evenly</source><translation>序列可以均分</translation></message>
    <message><source>Megatron-LM&apos;s sizes divide the processes</source><translation>Megatron-LM 的各项大小能整除进程数</translation></message>
    <message><source>transfers overlap with an optimizer on the CPU</source><translation>传输与 CPU 上的优化器重叠</translation></message>
    <message><source>begins with a byte order mark, which JSON does not have: save it as UTF-8 without one</source><translation>以字节顺序标记开头，JSON 不支持：请保存为不带它的 UTF-8</translation></message>
    <message><source>{} is {}; the last one counts</source><translation>{} 为 {}；以最后一个为准</translation></message>
    <message><source>{} is a folder: name a file of settings</source><translation>{} 是文件夹：请指定设置文件</translation></message>
    <message><source>{} does not exist: name a file of settings, or make one with `trainyard config`</source><translation>{} 不存在：请指定设置文件，或用 `trainyard config` 创建</translation></message>
    <message><source>{} is not an adapter of the type LORA: this version computes no other</source><translation>{} 不是 LORA 类型的适配器：此版本不计算其他类型</translation></message>
    <message><source>must be a whole number from 1 to {}</source><translation>必须是 1 到 {} 的整数</translation></message>
    <message><source>must be a number</source><translation>必须是数字</translation></message>
    <message><source>must be true or false</source><translation>必须是 true 或 false</translation></message>
    <message><source>must be a list of names</source><translation>必须是名称列表</translation></message>
    <message><source>names no modules, and target_parameters names no parameters: name what it adapts</source><translation>没有列出模块，target_parameters 也没有列出参数：请指明要适配的内容</translation></message>
    <message><source>must be a whole number, or a list of them</source><translation>必须是整数或整数列表</translation></message>
    <message><source>is for a list of target_modules, and they are an expression: leave one out</source><translation>仅适用于列表形式的 target_modules，而它是表达式：请去掉其中之一</translation></message>
    <message><source>is not computed with exclude_modules, layers_to_transform, rank_pattern or alpha_pattern: merge the adapter with PEFT</source><translation>与 exclude_modules、layers_to_transform、rank_pattern 或 alpha_pattern 一起时不计算：请用 PEFT 合并适配器</translation></message>
    <message><source>must be a table of numbers by the names of modules</source><translation>必须是按模块名称给出数字的表</translation></message>
    <message><source>&apos;{}&apos; trains beside changed weights, which cannot be computed from the model&apos;s: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source><translation>“{}”在改变过的权重之上训练，而这些权重无法由模型的权重算出：请用 PEFT 转换适配器（save_pretrained 的 path_initial_model_for_weight_conversion）</translation></message>
    <message><source>&apos;{}&apos; is not known, and it may stand for training beside changed weights: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source><translation>“{}”未知，可能表示在改变过的权重之上训练：请用 PEFT 转换适配器（save_pretrained 的 path_initial_model_for_weight_conversion）</translation></message>
    <message><source>&apos;{}&apos; is not computed with target_parameters: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source><translation>“{}”与 target_parameters 一起时不计算：请用 PEFT 转换适配器（save_pretrained 的 path_initial_model_for_weight_conversion）</translation></message>
    <message><source>trained biases are not computed: merge the adapter with PEFT</source><translation>不计算训练过的偏置：请用 PEFT 合并适配器</translation></message>
    <message><source>an adapter that counts from certain tokens on (aLoRA) is not computed, and cannot be merged: use it with PEFT</source><translation>从特定词元起才生效的适配器（aLoRA）不计算，也不能合并：请与 PEFT 一起使用</translation></message>
    <message><source>is not computed: merge the adapter with PEFT</source><translation>不计算：请用 PEFT 合并适配器</translation></message>
    <message><source>this version does not know the field, so it cannot tell what it changes: remove it if it changes nothing of the result</source><translation>此版本不认识该字段，因此不知道它会改变什么：如果它不影响结果，请将其删除</translation></message>
    <message><source>{} is not a configuration of an adapter: it is not JSON</source><translation>{} 不是适配器的配置：不是 JSON</translation></message>
    <message><source>{} is not a configuration of an adapter: it is not an object</source><translation>{} 不是适配器的配置：不是对象</translation></message>
    <message><source>{} and {} more</source><translation>{}，另有 {} 个</translation></message>
    <message><source>{} and {} are different values of the same tensor: save one adapter without its name</source><translation>{} 和 {} 是同一张量的不同值：请保存一个不带名称的适配器</translation></message>
    <message><source>{} differs from {}, and the model has one tensor for both (tie_word_embeddings): use the adapter with a model that has a head of its own</source><translation>{} 与 {} 不同，而模型中两者共用一个张量（tie_word_embeddings）：请将适配器用于有自己输出层的模型</translation></message>
    <message><source>it has no tensor {}</source><translation>缺少张量 {}</translation></message>
    <message><source>it has no tensor {}; of other names it has {}</source><translation>缺少张量 {}；它有其他名称的 {}</translation></message>
    <message><source>{} has tensors that neither the model nor its adapter has, and they are not used: {}</source><translation>{} 中有模型及其适配器都没有的张量，这些张量未被使用：{}</translation></message>
    <message><source>{} has the shape {} instead of {}</source><translation>{} 的形状为 {}，而不是 {}</translation></message>
    <message><source>{} has elements of type {}: give them as F32, F16 or BF16</source><translation>{} 的元素类型为 {}：请以 F32、F16 或 BF16 给出</translation></message>
    <message><source>the adapter was trained in a way that is not computed, such as DoRA (lora_magnitude_vector), with biases or for an embedding, so merge it with PEFT, or remove these tensors</source><translation>适配器的训练方式不受支持，例如 DoRA（lora_magnitude_vector）、带偏置或用于嵌入，请用 PEFT 合并，或删除这些张量</translation></message>
    <message><source>these modules get no adapter, because target_modules in adapter_config.json does not name them, or because they are an output layer, so complete it, or remove these tensors</source><translation>这些模块没有适配器，因为 adapter_config.json 的 target_modules 没有列出它们，或者它们是输出层，请补全，或删除这些张量</translation></message>
    <message><source>the model has no such modules</source><translation>模型中没有这样的模块</translation></message>
    <message><source>{} does not exist: name a folder of PEFT&apos;s layout, with adapter_model.safetensors</source><translation>{} 不存在：请指定 PEFT 格式的文件夹，其中有 adapter_model.safetensors</translation></message>
    <message><source>cannot read {}: {}</source><translation>无法读取 {}：{}</translation></message>
    <message><source>missing: name the text files or folders to train on</source><translation>缺失：请指定用于训练的文本文件或文件夹</translation></message>
    <message><source>{} does not exist</source><translation>{} 不存在</translation></message>
    <message><source>{} contains no file that matches &apos;{}&apos; and is not empty</source><translation>{} 中没有匹配 &apos;{}&apos; 且非空的文件</translation></message>
    <message><source>{} is neither a file nor a folder</source><translation>{} 既不是文件也不是文件夹</translation></message>
    <message><source>{} is empty</source><translation>{} 为空</translation></message>
    <message><source>the folders hold no file that matches &apos;{}&apos; and is not empty</source><translation>文件夹中没有匹配 &apos;{}&apos; 且非空的文件</translation></message>
    <message><source>the text has {}, less than one sample of data.sequence_length ({}) bytes: add text or shorten the samples</source><translation>文本共有 {}，不足一个样本的 data.sequence_length（{}）字节：请增加文本或缩短样本</translation></message>
    <message><source>must be above 0</source><translation>必须大于 0</translation></message>
    <message><source>has a shortest_edge alone and nothing is cropped, so images of a batch would differ in size: give height and width, or do_center_crop with a crop_size</source><translation>只有 shortest_edge 且不裁剪，同一批图像的大小会不同：请给出 height 和 width，或 do_center_crop 与 crop_size</translation></message>
    <message><source>must be a number above 0</source><translation>必须是大于 0 的数</translation></message>
    <message><source>must have {} numbers, one for each channel of the model&apos;s images</source><translation>必须有 {} 个数，模型图像的每个通道一个</translation></message>
    <message><source>must have whole numbers from 1 to {}</source><translation>必须是 1 到 {} 的整数</translation></message>
    <message><source>must have height and width</source><translation>必须有 height 和 width</translation></message>
    <message><source>is {}, and this version has 0 (nearest), 2 (bilinear) and 3 (bicubic)</source><translation>为 {}，而此版本支持 0（最近邻）、2（双线性）和 3（双三次）</translation></message>
    <message><source>has a longest_edge, which this version does not compute</source><translation>含有 longest_edge，此版本不计算它</translation></message>
    <message><source>must have a shortest_edge</source><translation>必须有 shortest_edge</translation></message>
    <message><source>must be a number above 0 and at most 1</source><translation>必须是大于 0 且不超过 1 的数</translation></message>
    <message><source>this version does not know what {} does with images: remove it if it changes nothing of them</source><translation>此版本不知道 {} 对图像有何作用：如果它不改变图像，请删除它</translation></message>
    <message><source>{} is not a JSON object: repair or remove it</source><translation>{} 不是 JSON 对象：请修复或删除它</translation></message>
    <message><source>{}: image_processor_type: images of {} are not computed by this version, which has {}: write the file of one of them that makes the same images</source><translation>{}：image_processor_type：此版本不计算 {} 的图像，它支持 {}：请改写为其中一种能得到相同图像的文件</translation></message>
    <message><source>{} makes images of {} × {} pixels, and model.image_size is {}: write the model&apos;s size there</source><translation>{} 生成 {} × {} 像素的图像，而 model.image_size 为 {}：请在那里写入模型的大小</translation></message>
    <message><source>the text has {} samples of {} bytes to train on, too few for one batch of {} on {}: add text, lower training.batch_size or data.validation_fraction</source><translation>文本有 {} 个 {} 字节的样本可用于训练，不足以构成 {3} 上大小为 {2} 的一个 batch：请增加文本，或减小 training.batch_size 或 data.validation_fraction</translation></message>
    <message><source>1 rank</source><translation>1 个 rank</translation></message>
    <message><source>{} ranks</source><translation>{} 个 rank</translation></message>
    <message><source>the text is too short to hold a sample out for evaluation: add text or set training.evaluate_every to 0</source><translation>文本太短，无法留出样本用于评估：请增加文本，或将 training.evaluate_every 设为 0</translation></message>
    <message><source>the text holds the byte {}, so vocab_size must be at least {} (256 takes any text), not {}</source><translation>文本中含有字节 {}，因此 vocab_size 须至少为 {}（256 可用于任何文本），而不是 {}</translation></message>
    <message><source>missing: name the sets to train on</source><translation>缺失：请指定用于训练的数据集</translation></message>
    <message><source>it puts {} on {}, and it is trained: what is trained stays in memory, so put it on cpu, or freeze it</source><translation>它将 {} 放在 {} 上，而它会被训练：被训练的内容留在内存中，请将其放在 cpu 上，或冻结它</translation></message>
    <message><source>{} is not there: name a folder of PEFT&apos;s layout, with adapter_model.safetensors</source><translation>{} 不存在：请指定 PEFT 布局的文件夹，其中含 adapter_model.safetensors</translation></message>
    <message><source>{} has init_lora_weights &apos;{}&apos;, so it was trained beside changed weights: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source><translation>{} 的 init_lora_weights 为“{}”，因此是在改变过的权重之上训练的：请用 PEFT 转换适配器（save_pretrained 的 path_initial_model_for_weight_conversion）</translation></message>
    <message><source>{} has a rank_pattern or an alpha_pattern, which recipes lack: merge the adapter first (trainyard merge-adapter)</source><translation>{} 带有 rank_pattern 或 alpha_pattern，而训练配置中没有：请先合并适配器（trainyard merge-adapter）</translation></message>
    <message><source>is {}, and {}, which describes lora.adapter, has {}: give the same value</source><translation>为 {}，而描述 lora.adapter 的 {} 中为 {}：请给出相同的值</translation></message>
    <message><source>{} does not exist or is not a file: give the file that torch.jit.save wrote</source><translation>{} 不存在或不是文件：请指定由 torch.jit.save 写出的文件</translation></message>
    <message><source>{} has {} tokens, so vocab_size must be at least {}, not {}</source><translation>{} 有 {} 个 token，因此 vocab_size 须至少为 {}，而不是 {}</translation></message>
    <message><source>{} is not a folder: give a checkpoint folder or a run folder</source><translation>{} 不是文件夹：请指定 checkpoint 文件夹或运行文件夹</translation></message>
    <message><source>give the file&apos;s own sizes under model</source><translation>请在 model 下给出文件自身的尺寸</translation></message>
    <message><source>{} is not of these weights</source><translation>{} 不属于这些权重</translation></message>
    <message><source>{} (and {} more do not fit): {}</source><translation>{}（另有 {} 个不匹配）：{}</translation></message>
    <message><source>has {} of shape [{}], the recipe&apos;s model needs [{}]</source><translation>中 {} 的形状为 [{}]，而配方的模型需要 [{}]</translation></message>
    <message><source>has no tensor {}</source><translation>中没有张量 {}</translation></message>
    <message><source>has {} in elements of type {}: quantised weights cannot be trained on, so give them as F32, F16 or BF16</source><translation>中 {} 的元素类型为 {}：无法在量化权重上训练，请以 F32、F16 或 BF16 提供</translation></message>
    <message><source>has a head of its own, {}, which differs from the table of the embedding, and model.tie_word_embeddings is true: set it to false</source><translation>有自己的输出头 {}，与嵌入的权重表不同，而 model.tie_word_embeddings 为 true：请设为 false</translation></message>
    <message><source>has tensors that {} lacks ({}): remove them from the file, since training would drop them</source><translation>中有 {} 所没有的张量（{}）：请从文件中移除，因为训练会丢弃它们</translation></message>
    <message><source>{} has tie_word_embeddings: true, and the weights have a head of their own, {}, which differs from {}: the head of the file is used, and tie_word_embeddings counts as false</source><translation>{} 中 tie_word_embeddings 为 true，而权重有自己的输出层 {}，与 {} 不同：使用文件中的输出层，tie_word_embeddings 视为 false</translation></message>
    <message><source>the recipe says {}, and {}, which describes the weights, says {}: leave the key out, or give the same value</source><translation>配方中为 {}，而描述这些权重的 {} 中为 {}：请省略该键，或填写相同的值</translation></message>
    <message><source>is not a key of {}, the model type of the weights in {}: leave it out</source><translation>不是 {1} 中权重所属的 {0} 的键：请省略</translation></message>
    <message><source>is true, and the weights in {} have a head of their own, {}, which differs from the table of the embedding: leave the key out, or set it to false</source><translation>为 true，而 {} 中的权重有自己的输出层 {}，与嵌入表不同：请去掉该键，或设为 false</translation></message>
    <message><source>{} has tie_word_embeddings: true, and the weights have a head of their own, {}, which differs from {}: both are written, and tie_word_embeddings as false</source><translation>{} 中 tie_word_embeddings 为 true，而权重有自己的输出头 {}，与 {} 不同：两者都会写入，tie_word_embeddings 写为 false</translation></message>
    <message><source>{} has tie_word_embeddings: true, and the weights have a head of their own, {}, which differs from {}: both are written; set tie_word_embeddings to false in the config.json that is used with the result</source><translation>{} 中 tie_word_embeddings 为 true，而权重有自己的输出头 {}，与 {} 不同：两者都会写入；请在与结果一起使用的 config.json 中把 tie_word_embeddings 设为 false</translation></message>
    <message><source>{} has the columns {}, none with a usual name ({}): name the one</source><translation>{} 有列 {}，没有一个是常用名称（{}）：请指定其中一个</translation></message>
    <message><source>{} has no column &apos;{}&apos;{}</source><translation>{} 中没有列 &apos;{}&apos;{}</translation></message>
    <message><source>{} in {} is not text</source><translation>{1} 中的 {0} 不是文本</translation></message>
    <message><source>{} holds no device map: it should be a JSON object such as {{&quot;model.embed_tokens&quot;: 0, &quot;model.layers.0&quot;: &quot;cpu&quot;}}</source><translation>{} 不含 device map：应为 JSON 对象，例如 {{&quot;model.embed_tokens&quot;: 0, &quot;model.layers.0&quot;: &quot;cpu&quot;}}</translation></message>
    <message><source>{}: &apos;{}&apos; is on {}, which is not a device: give a number, cpu or disk</source><translation>{}：&apos;{}&apos; 位于 {}，而它不是设备：请使用编号、cpu 或 disk</translation></message>
    <message><source>the recipe says {} and {} says {}: let them agree, or leave it out in one of them</source><translation>配方写的是 {}，而 {} 写的是 {}：请使两者一致，或在其中之一去掉</translation></message>
    <message><source>&apos;{}&apos; matches no module&apos;s whole name: there are {}</source><translation>&apos;{}&apos; 不匹配任何模块的完整名称：现有 {}</translation></message>
    <message><source>&apos;{}&apos; is the end of no module&apos;s name: there are {}</source><translation>&apos;{}&apos; 不是任何模块名称的结尾：现有 {}</translation></message>
    <message><source>{} gets an adapter by lora.target_modules, too ({}): name it in one of them</source><translation>{} 也会通过 lora.target_modules 得到适配器（{}）：请只在其中之一写出</translation></message>
    <message><source>&apos;{}&apos; is the end of no parameter&apos;s name: there are {}</source><translation>&apos;{}&apos; 不是任何参数名称的结尾：现有 {}</translation></message>
    <message><source>&apos;{}&apos; is the end of no module&apos;s name: a parameter is called {}</source><translation>&apos;{}&apos; 不是任何模块名称的结尾：例如有参数名为 {}</translation></message>
    <message><source>&apos;{}&apos; is the output layer, too, and PEFT would save it for one of them alone: leave it out, or set model.tie_word_embeddings to false</source><translation>&apos;{}&apos; 同时也是输出层，而 PEFT 只会为其中之一保存：请去掉它，或将 model.tie_word_embeddings 设为 false</translation></message>
    <message><source>has no effect without adapters: set lora.r to their rank, e.g. 8</source><translation>没有适配器时无效：请将 lora.r 设为其秩，例如 8</translation></message>
    <message><source>with adapters (lora.r) everything else is frozen anyway: leave it out</source><translation>使用适配器 (lora.r) 时其余部分本来就被冻结：请去掉</translation></message>
    <message><source>adapters do not work with pipeline stages in this version: set parallel.pp_size to 1</source><translation>此版本中适配器不能与流水线阶段一起使用：请将 parallel.pp_size 设为 1</translation></message>
    <message><source>is empty: name modules, or write all-linear</source><translation>为空：请写出模块，或写 all-linear</translation></message>
    <message><source>the state of {} is not updated element by element after backward, and cannot be kept on a disk: set it to none, or use an optimizer like adamw</source><translation>{} 的状态不是在反向传播之后逐元素更新的，不能存放在磁盘上：请设为 none，或使用 adamw 之类的优化器</translation></message>
    <message><source>{} without momentum has no state to offload: set it to none</source><translation>没有动量的 {} 没有可存放在磁盘上的状态：请设为 none</translation></message>
    <message><source>has no effect without model.device_map: set it to auto</source><translation>没有 model.device_map 时不起作用：请将其设为 auto</translation></message>
    <message><source>needs a built-in model, not {}: leave it out</source><translation>需要由引擎自己计算的模型，而不是 {}：请去掉</translation></message>
    <message><source>needs model.weights: weights that stay on disk are read from their files</source><translation>需要 model.weights：留在磁盘上的权重从其文件中读取</translation></message>
    <message><source>does not work with pipeline stages in this version: set parallel.pp_size to 1</source><translation>此版本中不能与流水线阶段一起使用：请将 parallel.pp_size 设为 1</translation></message>
    <message><source>the norm of all gradients is known only after it; leave it out (0)</source><translation>所有梯度的范数之后才知道；请去掉（0）</translation></message>
    <message><source>no gradient is left to be clipped; leave it out, or set the optimizer&apos;s own limit (clip_grad_value of Lomo, clip_threshold of AdaLomo)</source><translation>没有留下可裁剪的梯度；请去掉，或设置优化器自己的上限（Lomo 的 clip_grad_value，AdaLomo 的 clip_threshold）</translation></message>
    <message><source>no gradient is kept for the next micro-batch; set it to 1</source><translation>没有梯度留给下一个 micro-batch；请设为 1</translation></message>
    <message><source>whether the scaled gradients overflow is known only after it; use bf16 or no</source><translation>缩放后的梯度是否溢出，之后才知道；请用 bf16 或 no</translation></message>
    <message><source>the ranks cannot sum their gradients before; start one process, or use adafactor</source><translation>各 rank 无法事先对梯度求和；请启动一个进程，或使用 adafactor</translation></message>
    <message><source>it works on one rank; set it to 0</source><translation>它只在一个 rank 上工作；请设为 0</translation></message>
    <message><source>it works on one rank; set it to 1</source><translation>它只在一个 rank 上工作；请设为 1</translation></message>
    <message><source>there are no gradients to show; set it to 0</source><translation>没有可显示的梯度；请设为 0</translation></message>
    <message><source>a gradient that is not finite is always left out, and what comes after it; use skip, rollback, pause or stop</source><translation>非有限的梯度及其之后的部分总会被略去；请用 skip、rollback、pause 或 stop</translation></message>
    <message><source>the update is done when a jump is noticed; use ignore, warn or rollback</source><translation>发现突变时更新已完成；请用 ignore、warn 或 rollback</translation></message>
    <message><source>each of these clears the gradients; set it to 1, and add up the micro-batches inside of the closure</source><translation>每次计算都会清除梯度；请设为 1，并在闭包内累加各微批次</translation></message>
    <message><source>it would compare scaled losses; use bf16 or no</source><translation>它会比较缩放后的损失；请用 bf16 或 no</translation></message>
    <message><source>does not go with {}, which updates while backward runs: {}</source><translation>不能与在反向传播期间更新的 {} 一起使用：{}</translation></message>
    <message><source>does not go with {}, which computes the loss several times in an update: {}</source><translation>不能与 {} 一起使用，它在一次更新中多次计算损失：{}</translation></message>
    <message><source>{} needs whole parameters, and under ZeRO every rank has slices of them: set zero_stage to 0, or take another optimizer</source><translation>{} 需要完整的参数，而在 ZeRO 下每个 rank 只有其切片：把 zero_stage 设为 0，或换一个优化器</translation></message>
    <message><source>{} keeps an average of the weights of its own: leave it out</source><translation>{} 自己保存权重的平均：请去掉</translation></message>
    <message><source>{} averages over its own steps, which ranks that train separately do not share: leave it out</source><translation>{} 对自己的各步求平均，而各自训练的 rank 不共享这些步：请去掉</translation></message>
    <message><source>nesterov needs momentum above 0 and no dampening</source><translation>nesterov 要求 momentum 大于 0 且没有 dampening</translation></message>
    <message><source>etas must be a factor below 1 and one above 1</source><translation>etas 必须是一个小于 1 和一个大于 1 的因子</translation></message>
    <message><source>computes the loss several times in an update, which a recipe&apos;s step does once: use it in a program of your own (optim::make_optimizer, step(closure))</source><translation>在一次更新中多次计算损失，而配方的一步只计算一次：请在自己的程序中使用（optim::make_optimizer, step(closure)）</translation></message>
    <message><source>a number</source><translation>数字</translation></message>
    <message><source>true or false</source><translation>true 或 false</translation></message>
    <message><source>a word</source><translation>单词</translation></message>
    <message><source>a list of {} numbers</source><translation>含 {} 个数字的列表</translation></message>
    <message><source>{} has no argument &apos;{}&apos;{}</source><translation>{} 没有参数 &apos;{}&apos;{}</translation></message>
    <message><source>{} of {} must be {}</source><translation>{1} 的 {0} 必须是{2}</translation></message>
    <message><source>{} of {} must be {}, not {}</source><translation>{1} 的 {0} 必须是{2}，而不是 {3}</translation></message>
    <message><source>{} of {}: unknown value &apos;{}&apos;{}</source><translation>{1} 的 {0}：未知的值 &apos;{2}&apos;{3}</translation></message>
    <message><source>{} has a key of its own: write optimizer.{}</source><translation>{} 有自己的键：请写 optimizer.{}</translation></message>
    <message><source>{} takes several numbers: write optimizer.arguments: {{{}: [...]}}</source><translation>{} 接受多个数字：请写成 optimizer.arguments: {{{}: [...]}}</translation></message>
    <message><source>{} has no {}: leave it out, or take another optimizer.name</source><translation>{} 没有 {}：请去掉它，或选择其他 optimizer.name</translation></message>
    <message><source>expected a table of settings, e.g. {lr: 1e-4, weight_decay: 0}</source><translation>应为设置的表，例如 {lr: 1e-4, weight_decay: 0}</translation></message>
    <message><source>unknown optimizer &apos;{}&apos;{}</source><translation>未知的优化器 &apos;{}&apos;{}</translation></message>
    <message><source>{} and {} do not go together: one of them trains an average</source><translation>{} 与 {} 不能同时使用：其中一个训练的是平均值</translation></message>
    <message><source>unknown value &apos;{}&apos;{}</source><translation>未知的值 &apos;{}&apos;{}</translation></message>
    <message><source>&apos;{}&apos;: give a size for a device, such as cpu=2GB</source><translation>&apos;{}&apos;：请给出设备的大小，例如 cpu=2GB</translation></message>
    <message><source>must be {}, not {}</source><translation>必须是{}，而不是 {}</translation></message>
    <message><source>holds an empty path: name a file or folder</source><translation>含有空路径：请指定文件或文件夹</translation></message>
    <message><source>&apos;{}&apos; is the name of no parameter: they are named like {} and {}, and * stands for any part of a name</source><translation>&apos;{}&apos; 不是任何参数的名称：参数名形如 {} 和 {}，* 代表名称的任意部分</translation></message>
    <message><source>freezes every parameter: leave some to train</source><translation>冻结了所有参数：请留下一些用于训练</translation></message>
    <message><source>{} cannot be trained for {}: it has {}</source><translation>{} 不能用于 {} 的训练，它支持：{}</translation></message>
    <message><source>is not a key of {}{}</source><translation>不是 {} 的键{}</translation></message>
    <message><source>is not a key of {}, which calls it {}</source><translation>不是 {} 的键，它在那里叫 {}</translation></message>
    <message><source>{} reads columns of tables, and {} has none: take jsonl, csv, parquet or arrow</source><translation>{} 读取表的列，而 {} 没有列：请用 jsonl、csv、parquet 或 arrow</translation></message>
    <message><source>{} reads no images from {}: take images (a folder with a sub-folder for each class), numpy, safetensors, parquet or arrow</source><translation>{} 不从 {} 读取图像：请用 images（每个类别一个子文件夹的文件夹）、numpy、safetensors、parquet 或 arrow</translation></message>
    <message><source>images are not for {}: take another format</source><translation>images 不适用于 {}：请选择其他格式</translation></message>
    <message><source>conversations are columns of tables, for causal_lm: take jsonl, csv, parquet or arrow, or leave chat out</source><translation>对话是表的列，用于 causal_lm：请用 jsonl、csv、parquet 或 arrow，或去掉 chat</translation></message>
    <message><source>keep is for format bytes: set it to stop or skip</source><translation>keep 只用于格式 bytes：请设为 stop 或 skip</translation></message>
    <message><source>has no effect on {}, only on {}: leave it out</source><translation>对 {} 无效，仅对 {} 有效：请去掉</translation></message>
    <message><source>must be from 2 on, so that a token can be learnt from another</source><translation>必须至少为 2，这样才能从一个 token 学到另一个</translation></message>
    <message><source>{} is not cut into pipeline stages: set it to 1</source><translation>{} 不能切分为流水线阶段：请设为 1</translation></message>
    <message><source>is of a plug-in, and the recipe names none: name its shared library in plugins</source><translation>属于插件，而配方未指定插件：请在 plugins 中写出其共享库</translation></message>
    <message><source>missing: name the file that torch.jit.save wrote</source><translation>缺失：请指定 torch.jit.save 写出的文件</translation></message>
    <message><source>has an effect on torchscript alone, and model.model_type is {}: leave one out</source><translation>仅对 torchscript 有效，而 model.model_type 为 {}：请去掉其一</translation></message>
    <message><source>has no effect without data.plugin: name the data set</source><translation>没有 data.plugin 时无效：请指定数据集</translation></message>
    <message><source>the data set of a plug-in reads no files of the recipe: leave one out, and name its files in data.arguments</source><translation>插件的数据集不读取配方的文件：请去掉其一，并在 data.arguments 中指定其文件</translation></message>
    <message><source>adapters need a built-in model, not {}: set it to 0</source><translation>适配器需要由引擎自己计算的模型，而不是 {}：请设为 0</translation></message>
    <message><source>has no effect on {}, whose blocks are not known: leave it out</source><translation>对 {} 无效，因为不知道它的块：请去掉</translation></message>
    <message><source>{} does not continue texts in this version: set it to 0</source><translation>此版本中 {} 不能续写文本：请设为 0</translation></message>
    <message><source>&apos;{}&apos; is not a loss of sentence embeddings{}: use {} or {}</source><translation>&apos;{}&apos; 不是句子嵌入的损失{}：请用 {} 或 {}</translation></message>
    <message><source>{} is for sentence_embedding, not {}: leave it out</source><translation>{} 用于 sentence_embedding，而不是 {}：请去掉</translation></message>
    <message><source>{} pipeline stages cannot be cut from a model of {} blocks ({}): give from 1 to {}</source><translation>无法从有 {1} 个块（{2}）的模型中切出 {0} 个流水线阶段：请给出 1 到 {3}</translation></message>
    <message><source>set it to 0</source><translation>请设为 0</translation></message>
    <message><source>&apos;{}&apos; is of no parameter, or of none that a pattern before it leaves: they are named like {}</source><translation>&apos;{}&apos; 不匹配任何参数，或不匹配前面的模式剩下的参数：参数名形如 {}</translation></message>
    <message><source>has no effect on {}, which has no weight_decay: leave it out</source><translation>对 {} 没有作用，它没有 weight_decay：请去掉</translation></message>
    <message><source>has no effect where checkpoint.keep_last is 0, which keeps all checkpoints: set keep_last to 1 or more, or keep_every to 0</source><translation>checkpoint.keep_last 为 0（保留全部 checkpoint）时无效：请将 keep_last 设为 1 或更大，或将 keep_every 设为 0</translation></message>
    <message><source>{} is not a multiple of checkpoint.every, {}, so most of these steps have no checkpoint: use {}</source><translation>{} 不是 checkpoint.every（{}）的倍数，因此这些步大多没有 checkpoint：请用 {}</translation></message>
    <message><source>one average of the weights is kept: set training.ema_decay or swa_start to 0</source><translation>只保存一份权重平均值：请将 training.ema_decay 或 swa_start 设为 0</translation></message>
    <message><source>the average would begin at step {} of {}: begin it earlier, or set it to 0</source><translation>平均将从第 {} 步（共 {} 步）开始：请提前开始，或设为 0</translation></message>
    <message><source>has no effect without training.swa_lr: set it</source><translation>没有 training.swa_lr 时无效：请设置它</translation></message>
    <message><source>has no effect without training.swa_start: set it to the step to begin at</source><translation>没有 training.swa_start 时无效：请设为开始的步</translation></message>
    <message><source>does not go with training.local_sgd_steps: {}</source><translation>不能与 training.local_sgd_steps 一起使用：{}</translation></message>
    <message><source>each rank keeps its own weights and state; set it to 0</source><translation>独立训练的 rank 不分担任何内容；请设为 0</translation></message>
    <message><source>the ranks do not exchange gradients; set it to no</source><translation>不传输梯度；请设为 no</translation></message>
    <message><source>the ranks do not exchange gradients; leave it out</source><translation>不传输梯度；请去掉</translation></message>
    <message><source>the ranks&apos; weights differ between two averages; set it to 0</source><translation>两次平均之间各 rank 的权重不同；请设为 0</translation></message>
    <message><source>the ranks&apos; weights differ; set it to 0</source><translation>各 rank 的权重不同；请设为 0</translation></message>
    <message><source>a rank without samples has nothing to train on; leave it out</source><translation>没有样本的 rank 无可训练；请去掉</translation></message>
    <message><source>a model for {} does not continue texts: set it to 0</source><translation>用于 {} 的模型不能续写文本：请设为 0</translation></message>
    <message><source>must not be empty</source><translation>不能为空</translation></message>
    <message><source>has a slash or a control character: use letters, digits, spaces, &apos;-&apos;, &apos;_&apos; and &apos;.&apos;</source><translation>含有斜杠或控制字符：请用字母、数字、空格、&apos;-&apos;、&apos;_&apos; 和 &apos;.&apos;</translation></message>
    <message><source>must not be empty: * takes every file</source><translation>不能为空：* 表示所有文件</translation></message>
    <message><source>makes tokens of text, and the format {} has none: set data.format to text, jsonl, csv, parquet or arrow, or leave the tokenizer out</source><translation>把文本变成 token，而格式 {} 没有文本：请将 data.format 设为 text、jsonl、csv、parquet 或 arrow，或去掉分词器</translation></message>
    <message><source>{} is more than model.{} ({}): shorten the samples or raise {}</source><translation>{} 大于 model.{}（{}）：请缩短样本或增大 {}</translation></message>
    <message><source>rollback needs checkpoints to go back to: set checkpoint.every, or take skip</source><translation>rollback 需要可以返回的 checkpoint：请设置 checkpoint.every，或改用 skip</translation></message>
    <message><source>data.validation_fraction is 0, so no checkpoint has a validation loss: raise it or set keep_best to 0</source><translation>data.validation_fraction 为 0，因此没有 checkpoint 具有验证损失：请增大它，或将 keep_best 设为 0</translation></message>
    <message><source>no average of the weights is kept, so there is no eval/loss_average: set training.ema_decay or swa_start, or take eval/loss</source><translation>未保存权重平均值，因此没有 eval/loss_average：请设置 training.ema_decay 或 swa_start，或改用 eval/loss</translation></message>
    <message><source>there is no train/loss_scale without training.mixed_precision fp16: take another curve</source><translation>没有 training.mixed_precision fp16 就没有 train/loss_scale：请选择其他曲线</translation></message>
    <message><source>{} is more than {} ({}): the warm-up would never end</source><translation>{} 大于 {}（{}）：预热将永不结束</translation></message>
    <message><source>data.validation_fraction is 0, so nothing is held out to evaluate on: raise it or set evaluate_every to 0</source><translation>data.validation_fraction 为 0，因此没有留出用于评估的数据：请增大它，或将 evaluate_every 设为 0</translation></message>
    <message><source>rank 0 sends every rank as many samples, so data.even_batches cannot be no: set one of them to its default</source><translation>rank 0 向每个 rank 发送同样多的样本，因此 data.even_batches 不能为 no：请将其中之一设为默认值</translation></message>
    <message><source>greater than {}</source><translation>大于 {}</translation></message>
    <message><source>greater than {} and at most {}</source><translation>大于 {} 且不超过 {}</translation></message>
    <message><source>at least {} and less than {}</source><translation>至少 {} 且小于 {}</translation></message>
    <message><source>from {} to {}</source><translation>{} 到 {}</translation></message>
    <message><source>{} ranks cannot be shared among pipelines of {} stages: start a multiple of {} ranks, or change pp_size</source><translation>{} 个 rank 无法分配给 {} 个阶段的流水线：请启动 {} 的倍数个 rank，或更改 pp_size</translation></message>
    <message><source>1 stage</source><translation>1 个阶段</translation></message>
    <message><source>{} stages</source><translation>{} 个阶段</translation></message>
    <message><source>{} shards</source><translation>{} 个分片</translation></message>
    <message><source>1 replica</source><translation>1 个副本</translation></message>
    <message><source>{} replicas</source><translation>{} 个副本</translation></message>
    <message><source>the mesh of {} and {} needs {} ranks, and {} are started: start {} ranks, or make the size {}</source><translation>由 {} 和 {} 组成的网格需要 {} 个 rank，而将启动 {} 个：请启动 {} 个 rank，或将大小设为 {}</translation></message>
    <message><source>a training on {} ranks {}</source><translation>在 {} 个 rank 上训练{}</translation></message>
    <message><source>data.split_batches shares every batch among {} ranks, which {} samples do not allow: make it a multiple of the ranks</source><translation>data.split_batches 将每个 batch 分给 {} 个 rank，而 {} 个样本无法均分：请设为 rank 数的倍数</translation></message>
    <message><source>{} samples cannot be shared evenly by {} ranks: make it a multiple of the ranks, or start another number of them</source><translation>{} 个样本无法由 {} 个 rank 均分：请设为 rank 数的倍数，或启动其他数量的 rank</translation></message>
    <message><source>{} keeps no gradients for the next micro-batch: set training.batch_size to {}</source><translation>{} 不为下一个 micro-batch 保留梯度：请将 training.batch_size 设为 {}</translation></message>
    <message><source>~ cannot be replaced: the variable HOME is not set</source><translation>无法替换 ~：未设置变量 HOME</translation></message>
    <message><source>&apos;{}&apos; has a $ that names no variable: write $NAME, ${{NAME}} or $$</source><translation>&apos;{}&apos; 中的 $ 没有指明变量：请写 $NAME、${{NAME}} 或 $$</translation></message>
    <message><source>the environment variable {} is not set</source><translation>未设置环境变量 {}</translation></message>
    <message><source>expected a recipe (keys with values), got {}</source><translation>应为配方（键和值），实际为 {}</translation></message>
    <message><source>&apos;{}&apos; is not of the form key=value</source><translation>&apos;{}&apos; 不是 键=值 的形式</translation></message>
    <message><source>unknown key &apos;{}&apos;: it belongs under &apos;{}&apos;</source><translation>未知的键 &apos;{}&apos;：它应位于 &apos;{}&apos; 之下</translation></message>
    <message><source>unknown key &apos;{}&apos;{}</source><translation>未知的键 &apos;{}&apos;{}</translation></message>
    <message><source>given twice, first in line {}: keep one</source><translation>重复给出，首次在第 {} 行：请只保留一处</translation></message>
    <message><source>expected a table of keys, got {}</source><translation>应为键的表，实际为 {}</translation></message>
    <message><source>expected {}, got {}</source><translation>应为{}，实际为 {}</translation></message>
    <message><source>a whole number</source><translation>整数</translation></message>
    <message><source>a path</source><translation>路径</translation></message>
    <message><source>a text</source><translation>文本</translation></message>
    <message><source>a path or a list of paths</source><translation>路径或路径列表</translation></message>
    <message><source>a word or a list of words</source><translation>单词或单词列表</translation></message>
    <message><source>a table of keys, e.g. {key: 1}</source><translation>键的表，例如 {key: 1}</translation></message>
    <message><source>a table or a list, e.g. {key: 1} or [1, 2]</source><translation>表或列表，例如 {key: 1} 或 [1, 2]</translation></message>
    <message><source>a list of two numbers, e.g. [0.9, 0.999]</source><translation>两个数字的列表，例如 [0.9, 0.999]</translation></message>
    <message><source>has no effect on {}, which has no warm-up of its own: set it to 0, or take SequentialLR of a LinearLR and {}</source><translation>对 {} 没有作用，它没有自己的预热：请设为 0，或用 SequentialLR 连接 LinearLR 和 {}</translation></message>
    <message><source>has no effect on {}, which has no decay that ends at a step: set it to 0</source><translation>对 {} 没有作用，它没有在某一步结束的衰减：请设为 0</translation></message>
    <message><source>only the plain cosine and linear schedules end at it: give {} its own arguments, or leave min_lr_ratio out</source><translation>只有普通的 cosine 和 linear 计划以它结束：请给 {} 自己的参数，或去掉 min_lr_ratio</translation></message>
    <message><source>{} follows the validation loss, which is computed only at the end, so the learning rate would never change: set training.evaluate_every and data.validation_fraction</source><translation>{} 跟随验证损失，而它只在最后计算，学习率将永远不变：请设置 training.evaluate_every 和 data.validation_fraction</translation></message>
    <message><source>ZeRO-{}: nothing is shared out, since there is one rank</source><translation>ZeRO-{}：不做切分，因为只有一个 rank</translation></message>
    <message><source>ZeRO-{}: optimizer state is shared out among the {} ranks</source><translation>ZeRO-{}：优化器状态在 {} 个 rank 间切分</translation></message>
    <message><source>ZeRO-{}: optimizer state and gradients are shared out among the {} ranks</source><translation>ZeRO-{}：优化器状态和梯度在 {} 个 rank 间切分</translation></message>
    <message><source>is not valid JSON here: {}</source><translation>此处不是有效的 JSON：{}</translation></message>
    <message><source>is {}, more than the {} allowed for settings</source><translation>大小为 {}，超过设置允许的 {}</translation></message>
    <message><source>byte {} is zero: this is not a text file</source><translation>字节 {} 为零：这不是文本文件</translation></message>
    <message><source>a key must be a name, not {}</source><translation>键必须是名称，而不是 {}</translation></message>
    <message><source>takes the keys of other tables: name a table (*name) or a list of tables</source><translation>取用其他表的键：请写出一个表 (*name) 或表的列表</translation></message>
    <message><source>a bare {0} has a special meaning in YAML: write &apos;{0}&apos; in quotes if it is a text</source><translation>不带引号的 {0} 在 YAML 中另有含义：若为文本，请写成带引号的 &apos;{0}&apos;</translation></message>
    <message><source>{0} is not a valid date or time: write &apos;{0}&apos; in quotes if it is a text</source><translation>{0} 不是存在的日期或时间：若为文本，请写成带引号的 &apos;{0}&apos;</translation></message>
    <message><source>holds more than {} values</source><translation>含有超过 {} 个值</translation></message>
    <message><source>nested deeper than {} levels</source><translation>嵌套超过 {} 层</translation></message>
    <message><source>a list</source><translation>列表</translation></message>
    <message><source>a table of keys</source><translation>键的表</translation></message>
    <message><source>the text &quot;{}&quot;</source><translation>文本 &quot;{}&quot;</translation></message>
    <message><source>an alias (*name) inside of what it names has no end: write the value out</source><translation>别名 (*name) 位于其所指内容之中，没有尽头：请写出具体的值</translation></message>
    <message><source>aliases (*name) are not allowed here: write the value out</source><translation>此处不允许别名 (*name)：请写出具体的值</translation></message>
    <message><source>anchors (&amp;name) are not allowed here: write the value out where it is needed</source><translation>此处不允许锚点 (&amp;name)：请在需要处写出具体的值</translation></message>
    <message><source>the tag {} is not allowed here: leave it out</source><translation>此处不允许标签 {}：请去掉</translation></message>
    <message><source>byte {} is not text in UTF-8: save the file as UTF-8</source><translation>字节 {} 不是 UTF-8 文本：请将文件保存为 UTF-8</translation></message>
    <message><source>a tab cannot stand here: use spaces</source><translation>此处不能用制表符：请用空格</translation></message>
    <message><source>the quote that opens here is never closed: add one at the end of the text</source><translation>此处的引号未闭合：请在文本末尾补上</translation></message>
    <message><source>holds more than one document (---): keep one</source><translation>含有多个文档 (---)：请只保留一个</translation></message>
    <message><source>is not valid YAML here: {}</source><translation>此处不是有效的 YAML：{}</translation></message>
    <message><source>split_batches cuts every batch among {} ranks, which a batch size of {} does not allow: make it a multiple</source><translation>split_batches 将每个 batch 切分给 {} 个 rank，batch 大小 {} 无法整除：请使用其倍数</translation></message>
    <message><source>split_batches needs a batch size: give the batch sampler one, or do not split</source><translation>split_batches 需要 batch 大小：请为 batch 采样器指定，或不切分</translation></message>
    <message><source>no batch of this epoch ends after {} samples: the batch sampler gives other batches than when the state was saved</source><translation>此 epoch 中没有 batch 在 {} 个样本后结束：batch 采样器给出的 batch 与保存状态时不同</translation></message>
    <message><source>a batch of no samples cannot be made</source><translation>没有样本，无法构成 batch</translation></message>
    <message><source>sample {} of a data set of {}</source><translation>第 {} 个样本，而数据集共 {} 个</translation></message>
    <message><source>this data set cannot go to a place that was saved</source><translation>此数据集无法转到已保存的位置</translation></message>
    <message><source>this data set has no parts that ranks could read on their own</source><translation>此数据集没有可由各 rank 单独读取的部分</translation></message>
    <message><source>&apos;{}&apos; has none</source><translation>&apos;{}&apos; 没有行</translation></message>
    <message><source>&apos;{}&apos; has {}</source><translation>&apos;{}&apos; 有 {} 行</translation></message>
    <message><source>tensors of a data set must have the same number of rows: {}</source><translation>数据集的张量必须具有相同的行数：{}</translation></message>
    <message><source>{}, the first {}</source><translation>{}，第一个有 {} 行</translation></message>
    <message><source>a data set of tensors needs at least one tensor</source><translation>由张量组成的数据集至少需要一个张量</translation></message>
    <message><source>a subset names sample {} of a data set of {}</source><translation>子集指定了第 {} 个样本，而数据集共 {} 个</translation></message>
    <message><source>dispatch of a batch</source><translation>分发 batch</translation></message>
    <message><source>shards of a dispatching loader</source><translation>分发加载器的分片</translation></message>
    <message><source>rank {} asks for shard {} of {}</source><translation>rank {} 请求第 {} 个分片，共 {} 个</translation></message>
    <message><source>a batch without tensors cannot be dispatched: use dispatch_batches: false</source><translation>没有张量的 batch 无法分发：请使用 dispatch_batches: false</translation></message>
    <message><source>a slice function needs batches that can be joined along dimension 0: those of one step differ in shape</source><translation>切片函数需要可沿第 0 维拼接的 batch：同一步中各 batch 的形状不同</translation></message>
    <message><source>unknown error</source><translation>未知错误</translation></message>
    <message><source>rank 0 could not read the next batch: {}</source><translation>rank 0 无法读取下一个 batch：{}</translation></message>
    <message><source>rank 0 sent a batch that is cut off</source><translation>rank 0 发送的 batch 不完整</translation></message>
    <message><source>the sampler gave index {} for a data set of {} samples</source><translation>采样器给出了索引 {}，而数据集有 {} 个样本</translation></message>
    <message><source>batch {} of the batch sampler has {} samples instead of {}: leave batch_size out where batches are of any size</source><translation>batch 采样器的第 {} 个 batch 有 {} 个样本，而不是 {} 个：batch 大小不固定时请省略 batch_size</translation></message>
    <message><source>samples of {} tokens and windows of {} documents cannot be made: give numbers above 0</source><translation>无法构成 {} 个 token 的样本和 {} 个文档的窗口：请指定大于 0 的数</translation></message>
    <message><source>a document</source><translation>文档</translation></message>
    <message><source>&apos;{}&apos; of a document is {}, and tokens are made of a text or of a list of whole numbers: name another column</source><translation>文档的 &apos;{}&apos; 为 {}，而 token 须由文本或整数列表生成：请指定其他列</translation></message>
    <message><source>the documents are others than when the checkpoint was saved: bring back the old files, or begin the epoch again</source><translation>文档与保存 checkpoint 时不同：请恢复原来的文件，或重新开始此 epoch</translation></message>
    <message><source>the data have {} tokens, less than one sample of {}: add data or shorten the samples</source><translation>数据有 {} 个 token，不足一个 {} 个 token 的样本：请增加数据或缩短样本</translation></message>
    <message><source>a file of the data set was changed while it was being read: start again with files that stay as they are</source><translation>数据集的某个文件在读取时被更改：请使用保持不变的文件重新开始</translation></message>
    <message><source>cannot skip {} batches</source><translation>无法跳过 {} 个 batch</translation></message>
    <message><source>the state of a data loader names a place before the start of its data</source><translation>数据加载器的状态指向其数据开头之前的位置</translation></message>
    <message><source>the state of a data loader was saved where {} ranks read separate parts of the data, here {} do: continue with the same number of ranks, or from the next epoch</source><translation>数据加载器的状态保存时由 {} 个 rank 各自读取部分数据，此处为 {} 个：请以相同的 rank 数继续，或从下一个 epoch 开始</translation></message>
    <message><source>set either dataset or stream</source><translation>请设置 dataset 或 stream 之一</translation></message>
    <message><source>a stream has an order of its own: leave out shuffle, sampler and batch_sampler</source><translation>流有自己的顺序：请省略 shuffle、sampler 和 batch_sampler</translation></message>
    <message><source>shuffle and sampler exclude each other</source><translation>shuffle 和 sampler 不能同时使用</translation></message>
    <message><source>batch_sampler takes the place of batch_size, shuffle, sampler and drop_last</source><translation>batch_sampler 取代 batch_size、shuffle、sampler 和 drop_last</translation></message>
    <message><source>the batch sampler has no function</source><translation>batch 采样器没有函数</translation></message>
    <message><source>batch_size is {}: make it 1 or more</source><translation>batch_size 为 {}：请使用 1 或更大的值</translation></message>
    <message><source>num_workers must be 0 or more, prefetch_factor 1 or more</source><translation>num_workers 须至少为 0，prefetch_factor 须至少为 1</translation></message>
    <message><source>shard {} of {}</source><translation>第 {} 个分片，共 {} 个</translation></message>
    <message><source>the data loader cannot be made: {}</source><translation>无法创建数据加载器：{}</translation></message>
    <message><source>seed of a sampler</source><translation>采样器的种子</translation></message>
    <message><source>the state of a random generator cannot be used: {}</source><translation>随机数生成器的状态无法使用：{}</translation></message>
    <message><source>rng_types names &apos;{}&apos;: it may name generator, torch, cuda, xpu, npu, mlu, musa, hpu and sdaa</source><translation>rng_types 中有 &apos;{}&apos;：可用 generator、torch、cuda、xpu、npu、mlu、musa、hpu 和 sdaa</translation></message>
    <message><source>num_samples of a sampler is {}: make it 1 or more</source><translation>采样器的 num_samples 为 {}：请使用 1 或更大的值</translation></message>
    <message><source>weights of a sampler must be a list of numbers, one per sample</source><translation>采样器的权重必须是数值列表，每个样本一个</translation></message>
    <message><source>weight {} of a sampler is {:f}: weights are finite and not negative</source><translation>采样器的第 {} 个权重为 {}：权重须为有限且非负</translation></message>
    <message><source>a sampler without replacement cannot draw {} samples of {} with a positive weight</source><translation>无放回采样器无法从 {1} 个权重为正的样本中抽取 {0} 个</translation></message>
    <message><source>the blend asks data set {} for sample {}, it has {}: make it with more samples (see blend_sizes)</source><translation>混合数据集请求数据集 {} 的第 {} 个样本，而它只有 {} 个：请以更多样本创建（见 blend_sizes）</translation></message>
    <message><source>column &apos;{}&apos; is to be filled with &apos;{}&apos;, which is no {}</source><translation>列 &apos;{}&apos; 要用 &apos;{}&apos; 填充，但它不是 {}</translation></message>
    <message><source>{}: column &apos;{}&apos; has no value in a row: fill it (fill: {{{}: ...}}) or leave such rows out of the file</source><translation>{}：列 &apos;{}&apos; 在某一行没有值：请填充（fill: {{{}: ...}}），或从文件中去掉这样的行</translation></message>
    <message><source>{} and {} more files</source><translation>{} 及另外 {} 个文件</translation></message>
    <message><source>{} has fewer rows than when the checkpoint was saved</source><translation>{} 的行数少于保存 checkpoint 时</translation></message>
    <message><source>a rank sent a damaged description of its operation</source><translation>某个 rank 发送的操作描述已损坏</translation></message>
    <message><source>{} is not the same on all ranks:
{}
{}</source><translation>{} 在各 rank 上不一致：
{}
{}</translation></message>
    <message><source>{} failed, another rank is gone or did not come: {}</source><translation>{} 失败，另一个 rank 已退出或未到达：{}</translation></message>
    <message><source>connecting the ranks of {}</source><translation>连接 {} 的各 rank</translation></message>
    <message><source>telling the other ranks</source><translation>通知其他 rank</translation></message>
    <message><source>waiting for a word of another rank ({})</source><translation>等待另一个 rank 的消息（{}）</translation></message>
    <message><source>MASTER_ADDR and MASTER_PORT: {}</source><translation>MASTER_ADDR 和 MASTER_PORT：{}</translation></message>
    <message><source>rendezvous at {}:{}</source><translation>在 {}:{} 会合</translation></message>
    <message><source>Give every rank the same; pad_across_processes makes sizes equal.</source><translation>请为每个 rank 给出相同的内容；pad_across_processes 可使大小一致。</translation></message>
    <message><source>{} takes tensors, {} is {}: use gather_object or broadcast_object for other objects</source><translation>{} 接受张量，而 {} 为 {}：其他对象请使用 gather_object 或 broadcast_object</translation></message>
    <message><source>this</source><translation>此</translation></message>
    <message><source>this tensor</source><translation>此张量</translation></message>
    <message><source>reduce has no arithmetic for {} ({}): convert it first</source><translation>reduce 无法对 {} 运算（{}）：请先转换</translation></message>
    <message><source>there is no mean of {} ({}): take the sum, or convert it to float first</source><translation>{} 没有平均值（{}）：请取总和，或先转换为 float</translation></message>
    <message><source>there is no largest of complex numbers ({}): take the sum or the mean</source><translation>复数没有最大值（{}）：请取总和或平均值</translation></message>
    <message><source>unknown reduction &apos;{}&apos;: choose none, sum, mean or max</source><translation>未知归约 &apos;{}&apos;：请选择 none、sum、mean 或 max</translation></message>
    <message><source>reduce (none)</source><translation>reduce (none)</translation></message>
    <message><source>reduce (sum)</source><translation>reduce (sum)</translation></message>
    <message><source>reduce (mean)</source><translation>reduce (mean)</translation></message>
    <message><source>reduce (max)</source><translation>reduce (max)</translation></message>
    <message><source>broadcast from rank {}: there are {} ranks, counted from 0</source><translation>从 rank {} broadcast：共有 {} 个 rank，从 0 计数</translation></message>
    <message><source>Give every rank the same kinds, dtypes and numbers of dimensions.</source><translation>请为每个 rank 给出相同的种类、dtype 和维数。</translation></message>
    <message><source>the last backward of rank {} ended in an exception after {} of {} buckets of gradients were sent: the ranks no longer agree on the step; end the run and start it from its last checkpoint</source><translation>rank {0} 的上一次反向在发送 {2} 个梯度桶中的 {1} 个后因异常结束：各 rank 对此步不再一致；请结束运行并从最后的 checkpoint 启动</translation></message>
    <message><source>parameter {} has a gradient and had none in the first step</source><translation>参数 {} 有梯度，而在第一步中没有</translation></message>
    <message><source>parameter {} got a gradient again after it was sent</source><translation>参数 {} 在发送后又得到梯度</translation></message>
    <message><source>static_graph promises that all steps are alike; take it away</source><translation>static_graph 承诺所有步都相同；请去掉它</translation></message>
    <message><source>set static_graph, which counts how often each one comes</source><translation>请设置 static_graph，它会统计每个出现的次数</translation></message>
    <message><source>ranks that used each parameter</source><translation>使用各参数的 rank</translation></message>
    <message><source>static_graph promises that all steps are alike, but these parameters had a gradient in the first step and none in this one: {}; take static_graph away</source><translation>static_graph 要求所有步都相同，但以下参数在第一步有梯度而此步没有：{}；请去掉 static_graph</translation></message>
    <message><source>these parameters got no gradient in this backward on every rank: {}; use them in the loss, or set find_unused_parameters (static_graph where all steps are alike)</source><translation>以下参数在此次反向中在所有 rank 上都没有得到梯度：{}；请在损失中使用它们，或设置 find_unused_parameters（若所有步都相同则设置 static_graph）</translation></message>
    <message><source>these parameters got no gradient in this backward: {}; use them in the loss, or set find_unused_parameters (static_graph where all steps are alike)</source><translation>以下参数在此次反向中没有得到梯度：{}；请在损失中使用它们，或设置 find_unused_parameters（若所有步都相同则设置 static_graph）</translation></message>
    <message><source>who still has batches</source><translation>哪些 rank 还有 batch</translation></message>
    <message><source>with uneven inputs some ranks reduce their gradients in this step and others accumulate: {} of {}; accumulate over the same steps on all ranks (sync_with_dataloader off)</source><translation>输入数量不均时，部分 rank 在此步归约梯度，其他 rank 则在累积：{1} 个中的 {0} 个；请在所有 rank 上按相同的步累积（关闭 sync_with_dataloader）</translation></message>
    <message><source>bucket_cap_mb is {:f}: it must be more than 0</source><translation>bucket_cap_mb 为 {}：须大于 0</translation></message>
    <message><source>the parameters of {} got a gradient twice in one backward, and the first is on its way: set zero_stage to 0</source><translation>{} 的参数在一次反向中两次得到梯度，而第一个已在发送：请将 zero_stage 设为 0</translation></message>
    <message><source>no gradient</source><translation>无梯度</translation></message>
    <message><source>the gradients of a step</source><translation>一步的梯度</translation></message>
    <message><source>use the same parameters on every rank, or set parallel.check_reduction to no</source><translation>请在每个 rank 上使用相同的参数，或将 parallel.check_reduction 设为 no</translation></message>
    <message><source>these parameters got no gradient in this step: {}; use them in the loss, freeze them, or set find_unused_parameters</source><translation>以下参数在此步没有得到梯度：{}；请在损失中使用、冻结它们，或设置 find_unused_parameters</translation></message>
    <message><source>values {}</source><translation>值 {}</translation></message>
    <message><source>rank {} has no more batches, and throw_on_early_termination is set</source><translation>rank {} 已没有 batch，且设置了 throw_on_early_termination</translation></message>
    <message><source>join_uneven_inputs: give the modules whose gradients the ranks average</source><translation>join_uneven_inputs：请给出由各 rank 对其梯度求平均的模块</translation></message>
    <message><source>join_uneven_inputs: all modules must share one communicator</source><translation>join_uneven_inputs：所有模块必须共用一个通信器</translation></message>
    <message><source>&apos;{}&apos; is not a number: give a whole number, or unset it</source><translation>&apos;{}&apos; 不是数字：请给出整数，或取消设置</translation></message>
    <message><source>&apos;{}&apos; is neither true nor false: write true or false</source><translation>&apos;{}&apos; 既非 true 也非 false：请写 true 或 false</translation></message>
    <message><source>there is at least 1 process</source><translation>至少有 1 个进程</translation></message>
    <message><source>{} is not below the number of processes, {}</source><translation>{} 不小于进程数 {}</translation></message>
    <message><source>{} is not between 1 and the {} processes of all machines</source><translation>{} 不在 1 到所有机器的进程数 {} 之间</translation></message>
    <message><source>{} is beyond the rank or the number of processes of this machine, {}</source><translation>{} 超出了 rank 或本机的进程数 {}</translation></message>
    <message><source>is not set: several machines need the address of rank 0</source><translation>未设置：多台机器需要 rank 0 的地址</translation></message>
    <message><source>{} is not a port: give 1 to 65535</source><translation>{} 不是端口：请给出 1 到 65535</translation></message>
    <message><source>training on &apos;{}&apos; needs the library that brings this device to LibTorch: name it with --device_library or in {}, or train with --cpu</source><translation>在 &apos;{}&apos; 上训练需要为 LibTorch 提供该设备的库：请用 --device_library 或在 {} 中指定，或使用 --cpu 训练</translation></message>
    <message><source>training on &apos;{}&apos; needs {}, which cannot be opened ({}): {}</source><translation>在 &apos;{}&apos; 上训练需要 {}，但无法打开它（{}）：{}</translation></message>
    <message><source>unknown reason</source><translation>原因未知</translation></message>
    <message><source>build it where CUDA&apos;s headers are, or train with --cpu</source><translation>请在有 CUDA 头文件的地方构建，或使用 --cpu 训练</translation></message>
    <message><source>give the path of a library for LibTorch {}, or train with --cpu</source><translation>请给出适用于 LibTorch {} 的库的路径，或使用 --cpu 训练</translation></message>
    <message><source>it brings &apos;{}&apos;</source><translation>它提供 &apos;{}&apos;</translation></message>
    <message><source>it brings no device</source><translation>它不提供任何设备</translation></message>
    <message><source>the library of the device &apos;{}&apos; is another device&apos;s: {}</source><translation>设备 &apos;{}&apos; 的库属于另一种设备：{}</translation></message>
    <message><source>rank {} of this machine has no device {}: {}: start as many ranks as there are devices, or train with --cpu</source><translation>本机的 rank {} 没有设备 {}：{}：请启动与设备数相同的 rank，或使用 --cpu 训练</translation></message>
    <message><source>there is 1</source><translation>共有 1 个</translation></message>
    <message><source>there are {}</source><translation>共有 {} 个</translation></message>
    <message><source>local_sgd_steps is {}: it must be at least 1</source><translation>local_sgd_steps 为 {}：至少为 1</translation></message>
    <message><source>parameters of Local SGD</source><translation>Local SGD 的参数</translation></message>
    <message><source>optimizer state of Local SGD</source><translation>Local SGD 的优化器状态</translation></message>
    <message><source>weights of Local SGD</source><translation>Local SGD 的权重</translation></message>
    <message><source>the mesh ({}) needs {} ranks, {} were started: make the product of its sizes {}</source><translation>设备网格（{}）需要 {} 个 rank，而启动了 {} 个：请使各维大小的乘积为 {}</translation></message>
    <message><source>parameter {} is computed from others: give the leaf it is computed from</source><translation>参数 {} 由其他参数计算得出：请给出用于计算的叶张量</translation></message>
    <message><source>parameter {} is not dense: make it dense</source><translation>参数 {} 不是稠密的：请转换为稠密</translation></message>
    <message><source>parameter {} is complex: keep it as two real numbers (view_as_real)</source><translation>参数 {} 为复数：请保存为两个实数（view_as_real）</translation></message>
    <message><source>no parameter requires a gradient: data parallel has nothing to do</source><translation>没有需要梯度的参数：数据并行无事可做</translation></message>
    <message><source>start values of the model</source><translation>模型的初始值</translation></message>
    <message><source>buffers of the model</source><translation>模型的缓冲区</translation></message>
    <message><source>Let every rank call the same operation.</source><translation>请让每个 rank 调用相同的操作。</translation></message>
    <message><source>gathering of objects</source><translation>聚合对象</translation></message>
    <message><source>gather_object takes a list, rank {} gave {}: put the object into a list of one</source><translation>gather_object 接受列表，而 rank {} 给出 {}：请将对象放入单元素列表</translation></message>
    <message><source>broadcast_object from rank {}: there are {} ranks, counted from 0</source><translation>从 rank {} broadcast_object：共有 {} 个 rank，从 0 计数</translation></message>
    <message><source>PowerSGD&apos;s {} of bucket {} has {} elements and needs {}: the state belongs to another model, bucket_cap_mb or rank; start with a new state</source><translation>PowerSGD 中桶 {1} 的 {0} 有 {2} 个元素，需要 {3} 个：该状态属于另一个模型、bucket_cap_mb 或秩；请重新开始</translation></message>
    <message><source>PowerSGD&apos;s state has &apos;{}&apos; where the number of a bucket belongs</source><translation>PowerSGD 的状态在应为桶编号处含有 &apos;{}&apos;</translation></message>
    <message><source>PowerSGD&apos;s state has iter {} and rng_draws {}, which no run can have</source><translation>PowerSGD 的状态中 iter 为 {}、rng_draws 为 {}，任何运行都不可能如此</translation></message>
    <message><source>{} is not in {} to {}</source><translation>{} 不在 {} 到 {} 之间</translation></message>
    <message><source>it must be a number of at least 0</source><translation>须为不小于 0 的数</translation></message>
    <message><source>comm_state_option is a {}: give a dictionary of options</source><translation>comm_state_option 为 {}：请给出选项字典</translation></message>
    <message><source>is unknown: PowerSGD has {}</source><translation>未知：PowerSGD 有 {}</translation></message>
    <message><source>comm_state_option.{}: {}</source><translation>comm_state_option.{}：{}</translation></message>
    <message><source>{}: the first process failed before the others could continue</source><translation>{}：第一个进程在其他进程继续之前已失败</translation></message>
    <message><source>process state</source><translation>进程状态</translation></message>
    <message><source>ACCELERATE_TORCH_DEVICE is &apos;{}&apos;: it must be a kind of device, or one with a number such as cuda:1</source><translation>ACCELERATE_TORCH_DEVICE 为 &apos;{}&apos;：须为设备类型，或带编号，例如 cuda:1</translation></message>
    <message><source>split_between_processes: &apos;{}&apos; has {} items, the first value has {}: all values must be of one length</source><translation>split_between_processes：&apos;{}&apos; 有 {} 项，第一个值有 {} 项：所有值的长度必须相同</translation></message>
    <message><source>unknown log level &apos;{}&apos;: choose debug, info, warning, error or critical</source><translation>未知日志级别 &apos;{}&apos;：请选择 debug、info、warning、error 或 critical</translation></message>
    <message><source>{} is not the same on all ranks:
{}
Let every rank call the same operation with the same shapes.</source><translation>{} 在各 rank 上不一致：
{}
请让每个 rank 以相同的形状调用相同的操作。</translation></message>
    <message><source>{} failed: rank {} is gone</source><translation>{} 失败：rank {} 已退出</translation></message>
    <message><source>{} failed: rank {} did not come in {} ms</source><translation>{} 失败：rank {} 未在 {} ms 内到达</translation></message>
    <message><source>{} pipeline stages cannot be cut from a model of {} blocks: give from 1 to {}</source><translation>{1} 个块的模型无法切分为 {0} 个流水线 stage：请给出 1 到 {2}</translation></message>
    <message><source>a batch of {} has no batch size: its first tensor needs a dimension</source><translation>由 {} 组成的 batch 没有 batch 大小：其第一个张量须有维度</translation></message>
    <message><source>nothing to concatenate: give at least one batch</source><translation>没有可拼接的内容：请至少给出一个 batch</translation></message>
    <message><source>complex numbers have no place in a list: take their real and imaginary parts first</source><translation>复数无法放入列表：请先取其实部和虚部</translation></message>
    <message><source>expected {}, found {}</source><translation>应为 {}，实为 {}</translation></message>
    <message><source>list or tuple</source><translation>list 或 tuple</translation></message>
    <message><source>the key &apos;{}&apos; is missing</source><translation>缺少键 &apos;{}&apos;</translation></message>
    <message><source>tensors of {} cannot be sent as objects: convert them first</source><translation>{} 类型的张量无法作为对象发送：请先转换</translation></message>
    <message><source>a nest deeper than {} cannot be sent</source><translation>嵌套深度超过 {} 的内容无法发送</translation></message>
    <message><source>it does not begin with TYT1</source><translation>其开头不是 TYT1</translation></message>
    <message><source>something follows its end</source><translation>其结尾之后还有内容</translation></message>
    <message><source>a received object is damaged at byte {}: {}</source><translation>收到的对象在字节 {} 处损坏：{}</translation></message>
    <message><source>it claims more items than it has bytes</source><translation>其声明的项数多于字节数</translation></message>
    <message><source>unknown dtype</source><translation>未知 dtype</translation></message>
    <message><source>too many dimensions</source><translation>维度过多</translation></message>
    <message><source>an impossible shape</source><translation>不可能的形状</translation></message>
    <message><source>its bytes are not those of its shape</source><translation>其字节数与形状不符</translation></message>
    <message><source>unknown kind of key</source><translation>未知的键类型</translation></message>
    <message><source>the same key twice</source><translation>键重复</translation></message>
    <message><source>nested too deep</source><translation>嵌套过深</translation></message>
    <message><source>unknown kind of value</source><translation>未知的值类型</translation></message>
    <message><source>{} is not an integer of at least {}</source><translation>{} 不是不小于 {} 的整数</translation></message>
    <message><source>{} is not a number</source><translation>{} 不是数值</translation></message>
    <message><source>{} is neither true nor false</source><translation>{} 既不是 true 也不是 false</translation></message>
    <message><source>{} is not text</source><translation>{} 不是文本</translation></message>
    <message><source>{} is not a list of positive integers</source><translation>{} 不是正整数列表</translation></message>
    <message><source>{} is not a JSON object</source><translation>{} 不是 JSON 对象</translation></message>
    <message><source>{} is not a JSON object: it should be the config.json of a model</source><translation>{} 不是 JSON 对象：它应为模型的 config.json</translation></message>
    <message><source>{}: model_type &apos;{}&apos; is not known to this version{}</source><translation>{}：此版本不支持 model_type &apos;{}&apos;{}</translation></message>
    <message><source>{} is to be loaded with {}, and this version estimates {} of {}</source><translation>{0} 要用 {1} 加载，而此版本可估算 {3} 的 {2}</translation></message>
    <message><source>needs as many numbers as hidden_sizes</source><translation>需要与 hidden_sizes 相同个数的数</translation></message>
    <message><source>the device &apos;{}&apos; is not known: devices are whole numbers (accelerators), mps, cpu and disk</source><translation>未知设备 &apos;{}&apos;：设备为整数（加速器）、mps、cpu 和 disk</translation></message>
    <message><source>the offloaded layers have buffers of {} bytes, and no accelerator has room for them: offload the buffers, too (offload_buffers)</source><translation>被卸载的层有 {} 字节的缓冲区，没有加速器能放下：请同时卸载缓冲区（offload_buffers）</translation></message>
    <message><source>&apos;{}&apos; is not the name of a dtype: float32, bfloat16, int8, bool ...</source><translation>&apos;{}&apos; 不是 dtype 的名称：float32、bfloat16、int8、bool ...</translation></message>
    <message><source>device 0 can be spared only among devices that are numbered from 0 without a gap</source><translation>只有当设备从 0 开始连续编号时，才能少占用设备 0</translation></message>
    <message><source>what a model of type {} consists of is known when it is loaded, so its memory cannot be estimated: start a short run, which reports what it uses</source><translation>{} 类型模型的组成要到加载时才知道，因此无法估算其内存：请启动一次短运行，它会报告所用内存</translation></message>
    <message><source>{} describes a model of {:.2g} parameters: check its numbers</source><translation>{} 描述的模型有 {} 个参数：请检查其中的数值</translation></message>
    <message><source>the recipe</source><translation>配方</translation></message>
    <message><source>unknown dtype &apos;{}&apos;{}</source><translation>未知 dtype &apos;{}&apos;{}</translation></message>
    <message><source>Largest Layer</source><translation>最大的层</translation></message>
    <message><source>Total Size</source><translation>总大小</translation></message>
    <message><source>Training using Adam</source><translation>使用 Adam 训练</translation></message>
    <message><source>{} is a convolutional network: its training memory depends on the size of the pictures and is not estimated; only loading it is</source><translation>{} 是卷积网络：其训练内存取决于图像大小，不作估算；仅估算加载内存</translation></message>
    <message><source>{} has no numbered layers with matrices: its training memory cannot be estimated</source><translation>{} 没有带矩阵的编号层：无法估算其训练内存</translation></message>
    <message><source>{} is not a file or folder here: name a recipe, a config.json, a safetensors file or the folder of a model</source><translation>{} 在此处不是文件或文件夹：请指定配方、config.json、safetensors 文件或模型的文件夹</translation></message>
    <message><source>1 micro-batch</source><translation>1 个 micro-batch</translation></message>
    <message><source>{} micro-batches</source><translation>{} 个 micro-batch</translation></message>
    <message><source>{} over {} stages (blocks {}), {}: idle for {:.0f} % of a step, keeps up to {}</source><translation>{}，{} 个 stage（块 {}），{}：每步空闲 {} %，最多保留 {}</translation></message>
    <message><source>a host needs {} for what is offloaded and has {}: {} short</source><translation>每台主机存放卸载内容需要 {}，现有 {}：缺少 {}</translation></message>
    <message><source>a rank needs {} of {}, most of it for {} ({})</source><translation>每个 rank 需要 {}，可用 {}，其中占用最多的是 {}（{}）</translation></message>
    <message><source>a rank needs {} of {}, most of it for {} ({}), and {}</source><translation>每个 rank 需要 {}，可用 {}，其中占用最多的是 {}（{}），并且 {}</translation></message>
    <message><source>{}; {} {} is enough</source><translation>{}；{} {} 即可</translation></message>
    <message><source>{}; no single change is enough, and no layout of these devices</source><translation>{}；任何单项更改都不够，这些设备的任何布局也都不够</translation></message>
    <message><source>4 bytes × {} parameters × {} averages</source><translation>4 字节 × {} 个参数 × {} 个平均</translation></message>
    <message><source>weights and optimizer state are copied, so that training continues during the save</source><translation>复制权重和优化器状态，训练继续进行</translation></message>
    <message><source>measured on the CPU (packaging/bench estimate)</source><translation>在 CPU 上实测（packaging/bench estimate）</translation></message>
    <message><source>code and buffers of 16-bit products</source><translation>16 位乘法的代码和缓冲区</translation></message>
    <message><source>connections to the other ranks</source><translation>与其他 rank 的连接</translation></message>
    <message><source>measured by runs on this processor</source><translation>由此处理器上的运行实测</translation></message>
    <message><source>measured on the CPU</source><translation>在 CPU 上实测</translation></message>
    <message><source>program, LibTorch, threads</source><translation>程序、LibTorch、线程</translation></message>
    <message><source>number format</source><translation>数值格式</translation></message>
    <message><source>Rajbhandari et al., &quot;ZeRO&quot;, 2020; Zhao et al., &quot;FSDP&quot;, 2023</source><translation>Rajbhandari et al., &quot;ZeRO&quot;, 2020; Zhao et al., &quot;FSDP&quot;, 2023</translation></message>
    <message><source>{:g} bytes × ({:g} gathered layers of {} + embedding and head {})</source><translation>{} 字节 × ({} 个聚合的层，每层 {} + 嵌入和输出头 {})</translation></message>
    <message><source>one layer in use, one fetched ahead</source><translation>一层正在使用，一层预取</translation></message>
    <message><source>{:g} bytes × ({:g} layers of {} + {})</source><translation>{} 字节 × ({} 层，每层 {} + {})</translation></message>
    <message><source>mixed precision (Micikevicius et al., 2018)</source><translation>混合精度（Micikevicius et al., 2018）</translation></message>
    <message><source>{:g} bytes × {} parameters</source><translation>{} 字节 × {} 个参数</translation></message>
    <message><source>quantised weights are restored layer by layer</source><translation>量化权重逐层还原</translation></message>
    <message><source>{:g} bytes × {:g} layers of {}</source><translation>{} 字节 × {} 层，每层 {}</translation></message>
    <message><source>{:g} bytes × (largest layer {} + embedding and head {}) that are trained</source><translation>{} 字节 × (最大的层 {} + 嵌入和输出头 {})，仅计训练的部分</translation></message>
    <message><source>one value per trained parameter</source><translation>每个训练参数一个值</translation></message>
    <message><source>embedding {} + 3 buckets of {}</source><translation>嵌入 {} + 3 个 {} 的桶</translation></message>
    <message><source>{:.4g} bytes × {} elements of optimizer state in two slices</source><translation>{} 字节 × 两个分片中的 {} 个优化器状态元素</translation></message>
    <message><source>Ren et al., &quot;ZeRO-Offload&quot;, 2021</source><translation>Ren et al., &quot;ZeRO-Offload&quot;, 2021</translation></message>
    <message><source>gradients are copied to where the optimizer is</source><translation>梯度被复制到优化器所在处</translation></message>
    <message><source>Rajbhandari et al., &quot;ZeRO-Infinity&quot;, 2021</source><translation>Rajbhandari et al., &quot;ZeRO-Infinity&quot;, 2021</translation></message>
    <message><source>two layers on their way from the disk</source><translation>正从磁盘读入的两层</translation></message>
    <message><source>the state of two layers on its way from the disk</source><translation>正从磁盘读入的两层的状态</translation></message>
    <message><source>{:g} bytes × {} trained parameters + {:g} × {} frozen ones in memory</source><translation>{} 字节 × {} 个训练的参数 + {} × 内存中 {} 个冻结的参数</translation></message>
    <message><source>{:g} bytes × {} trained parameters</source><translation>{} 字节 × {} 个训练的参数</translation></message>
    <message><source>{:g} bytes × (layer in use {} + layer or head that is read ahead {}) + {} of pages</source><translation>{} 字节 × (正在使用的层 {} + 预读的层或输出头 {}) + 内存页 {}</translation></message>
    <message><source>{:g} bytes × {} parameters that the device map leaves on disk</source><translation>{} 字节 × 设备映射留在磁盘上的 {} 个参数</translation></message>
    <message><source>what the operations of a block save, by its matrices and norms</source><translation>块内运算所保存的内容，按其矩阵和归一化计算</translation></message>
    <message><source>{} tokens × {:g} micro-batches × {} bytes of {:g} blocks</source><translation>{0} 个 token × {1} 个 micro-batch × {3} 个块的 {2} 字节</translation></message>
    <message><source>transformers computes the loss in fp32</source><translation>transformers 以 fp32 计算损失</translation></message>
    <message><source>{} rows × {:g} bytes + {} tokens × {:g} around the head; the blocks need {} after that</source><translation>{} 行 × {} 字节 + {} 个 token × {}（输出头周围）；之后各块需要 {}</translation></message>
    <message><source>gradients of one block&apos;s activations during backward</source><translation>反向传播时一个块的激活梯度</translation></message>
    <message><source>{} tokens × {:g} bytes; the head needs {} before that</source><translation>{} 个 token × {} 字节；此前输出头需要 {}</translation></message>
    <message><source>Chen et al., 2016; Korthikanti et al., 2022</source><translation>Chen et al., 2016; Korthikanti et al., 2022</translation></message>
    <message><source>{} tokens × {} bytes of one whole block that is computed again</source><translation>{} 个 token × 重新计算的一个完整块的 {} 字节</translation></message>
    <message><source>CUDA caching allocator: large blocks are multiples of 2 MiB</source><translation>CUDA 缓存分配器：大块为 2 MiB 的倍数</translation></message>
    <message><source>1 MiB on average × {:g} tensors</source><translation>平均 1 MiB × {} 个张量</translation></message>
    <message><source>a pipeline of {} layers cannot be planned: at most {}</source><translation>无法规划 {} 层的流水线：最多 {} 层</translation></message>
    <message><source>two fp32 moments (Kingma and Ba, 2015; Loshchilov and Hutter, 2019)</source><translation>两个 fp32 矩（Kingma and Ba, 2015; Loshchilov and Hutter, 2019）</translation></message>
    <message><source>two moments of 8 bits with an fp32 scale per 256 values (Dettmers et al., 2022)</source><translation>两个 8 位矩，每 256 个值一个 fp32 缩放（Dettmers et al., 2022）</translation></message>
    <message><source>no state</source><translation>无状态</translation></message>
    <message><source>one fp32 momentum</source><translation>一个 fp32 动量</translation></message>
    <message><source>one fp32 momentum (Chen et al., 2023)</source><translation>一个 fp32 动量（Chen et al., 2023）</translation></message>
    <message><source>one fp32 sum of squares (Duchi et al., 2011)</source><translation>一个 fp32 平方和（Duchi et al., 2011）</translation></message>
    <message><source>one fp32 mean of squares</source><translation>一个 fp32 平方均值</translation></message>
    <message><source>means of rows and columns, no first moment (Shazeer and Stern, 2018); an upper bound for matrices of at least 160 rows and columns</source><translation>行和列的均值，无一阶矩（Shazeer and Stern, 2018）；对行数和列数至少为 160 的矩阵是上限</translation></message>
    <message><source>two fp32 moments</source><translation>两个 fp32 矩</translation></message>
    <message><source>an fp32 moment and an fp32 maximum</source><translation>一个 fp32 矩和一个 fp32 最大值</translation></message>
    <message><source>fp32 means of squares of gradients and of steps</source><translation>梯度和步长的 fp32 平方均值</translation></message>
    <message><source>the last gradient and a step size, fp32</source><translation>上一次的梯度和步长，fp32</translation></message>
    <message><source>an fp32 average</source><translation>一个 fp32 平均值</translation></message>
    <message><source>one fp32 momentum (Jordan et al., 2024)</source><translation>一个 fp32 动量（Jordan et al., 2024）</translation></message>
    <message><source>an fp32 sequence and an fp32 moment (Defazio et al., 2024)</source><translation>一个 fp32 序列和一个 fp32 矩（Defazio et al., 2024）</translation></message>
    <message><source>an fp32 sequence (Defazio et al., 2024)</source><translation>一个 fp32 序列（Defazio et al., 2024）</translation></message>
    <message><source>no state (Lv et al., 2024)</source><translation>无状态（Lv et al., 2024）</translation></message>
    <message><source>means of rows and columns (Lv et al., 2024); an upper bound for matrices of at least 160 rows and columns</source><translation>行和列的均值（Lv et al., 2024）；对行数和列数至少为 160 的矩阵是上限</translation></message>
    <message><source>samples of a micro-batch of one rank</source><translation>一个 rank 的一个 micro-batch 的样本数</translation></message>
    <message><source>tokens of a sample</source><translation>一个样本的 token 数</translation></message>
    <message><source>micro-batches of a step</source><translation>一步的 micro-batch 数</translation></message>
    <message><source>number format of products</source><translation>矩阵乘法的数值格式</translation></message>
    <message><source>weights and gradients in 16 bits, fp32 masters with the optimizer</source><translation>权重和梯度为 16 位，fp32 主权重在优化器中</translation></message>
    <message><source>what it keeps per parameter</source><translation>优化器为每个参数保存的内容</translation></message>
    <message><source>ranks share out optimizer state (1), gradients (2), weights (3, FSDP)</source><translation>各 rank 分担优化器状态（1）、梯度（2）、权重（3，FSDP）</translation></message>
    <message><source>activations that backward computes again</source><translation>反向传播时重新计算的激活</translation></message>
    <message><source>eager keeps the attention probabilities</source><translation>eager 会保存注意力概率</translation></message>
    <message><source>logits in chunks of rows, as the engine does it</source><translation>按行分块计算 logits，与引擎相同</translation></message>
    <message><source>where the optimizer state lies</source><translation>优化器状态的存放位置</translation></message>
    <message><source>where the weights lie</source><translation>权重的存放位置</translation></message>
    <message><source>LoRA on all matrices of blocks; 0: all weights are trained</source><translation>在块的所有矩阵上使用 LoRA；0：训练所有权重</translation></message>
    <message><source>frozen weights in 4, 8 or 16 bits; 0: as trained ones</source><translation>冻结的权重用 4、8 或 16 位；0：与训练的权重相同</translation></message>
    <message><source>averaged copies of the weights (EMA, SWA)</source><translation>权重的平均副本（EMA、SWA）</translation></message>
    <message><source>checkpoints are written while training continues</source><translation>训练继续的同时写入 checkpoint</translation></message>
    <message><source>order of micro-batches on pipeline stages</source><translation>流水线各 stage 上 micro-batch 的顺序</translation></message>
    <message><source>ranks that ZeRO or FSDP shards over</source><translation>ZeRO 或 FSDP 在其间分片的 rank 数</translation></message>
    <message><source>tensor parallel ranks</source><translation>张量并行的 rank 数</translation></message>
    <message><source>context parallel ranks</source><translation>上下文并行的 rank 数</translation></message>
    <message><source>sequence parallel ranks (Ulysses)</source><translation>序列并行的 rank 数（Ulysses）</translation></message>
    <message><source>pipeline stages</source><translation>流水线 stage 数</translation></message>
    <message><source>expert parallel ranks, of the data ranks</source><translation>专家并行的 rank 数，取自数据 rank</translation></message>
    <message><source>{} is not a value of a training setup{}</source><translation>{} 不是训练设置中的值{}</translation></message>
    <message><source>{} &apos;{}&apos;: give one of {}</source><translation>{} &apos;{}&apos;：请使用 {} 之一</translation></message>
    <message><source>{} &apos;{}&apos;: give a whole number from {} to {}</source><translation>{} &apos;{}&apos;：请使用 {} 到 {} 的整数</translation></message>
    <message><source>{} &apos;{}&apos;: give true or false</source><translation>{} &apos;{}&apos;：请使用 true 或 false</translation></message>
    <message><source>tp {} does not divide {} heads: use {}</source><translation>tp {} 不能整除 {} 个头：请使用 {}</translation></message>
    <message><source>tp {} does not divide {} key and value heads: use {}</source><translation>tp {} 不能整除 {} 个 key 和 value 头：请使用 {}</translation></message>
    <message><source>sp {} does not divide the {} heads of a rank: use {}</source><translation>sp {} 不能整除每个 rank 的 {} 个头：请使用 {}</translation></message>
    <message><source>{} pipeline stages cannot be cut from {} layers: use at most {}</source><translation>无法将 {1} 层切分为 {0} 个流水线 stage：最多使用 {2} 个</translation></message>
    <message><source>a sequence of {} tokens cannot be divided among {} ranks: use a multiple of {}</source><translation>{} 个 token 的序列无法分给 {} 个 rank：请使用 {} 的倍数</translation></message>
    <message><source>a sequence of {} tokens is longer than the {:.0f} positions of the model</source><translation>{} 个 token 的序列超过模型的 {} 个位置</translation></message>
    <message><source>ep {}: the model has no experts, use 1</source><translation>ep {}：模型没有专家，请使用 1</translation></message>
    <message><source>ep {} does not divide {} experts and {} data ranks: use {}</source><translation>ep {} 不能整除 {} 个专家和 {} 个数据 rank：请使用 {}</translation></message>
    <message><source>offload_param: weights are offloaded with zero_stage 3 only</source><translation>offload_param：仅 zero_stage 3 时才卸载权重</translation></message>
    <message><source>weight_bits {}: weights of {} bits cannot be trained, give lora_rank, too</source><translation>weight_bits {}：{} 位的权重无法训练，请同时设置 lora_rank</translation></message>
    <message><source>{} is damaged at byte {} ({}): what follows cannot be read</source><translation>{} 在第 {} 字节处损坏（{}）：其后的内容无法读取</translation></message>
    <message><source>length checksum</source><translation>长度校验和</translation></message>
    <message><source>data checksum</source><translation>数据校验和</translation></message>
    <message><source>{} was deleted: the data read so far stays visible</source><translation>{} 已不存在：已读取的内容保留</translation></message>
    <message><source>libcurl is not installed (Debian: libcurl4), so models of a hub cannot be looked up</source><translation>未安装 libcurl（Debian：libcurl4），因此无法查找 hub 上的模型</translation></message>
    <message><source>{} holds no access token: a token is one word of ASCII characters</source><translation>{} 中没有访问令牌：令牌须为一个由 ASCII 字符组成的词</translation></message>
    <message><source>HF_ENDPOINT must be the address of a hub, such as https://huggingface.co</source><translation>HF_ENDPOINT 须为 hub 的地址，例如 https://huggingface.co</translation></message>
    <message><source>cannot make {}</source><translation>无法创建 {}</translation></message>
    <message><source>{} is not a file or folder here, and models are not looked up on a hub while HF_HUB_OFFLINE is set</source><translation>此处没有名为 {} 的文件或文件夹，且设置了 HF_HUB_OFFLINE 时不会在 hub 上查找模型</translation></message>
    <message><source>{} is not a file or folder here, and {} cannot be asked for a model of that name ({}): name a recipe, a config.json, weights or the folder of a model</source><translation>此处没有名为 {} 的文件或文件夹，也无法向 {} 查询该名称的模型（{}）：请指定配方、config.json、权重或模型的文件夹</translation></message>
    <message><source>{} is not a file or folder here, and {} has no public model of that name: check the name, or set HF_TOKEN to a token that may read it</source><translation>此处没有名为 {} 的文件或文件夹，{} 上也没有该名称的公开模型：请检查名称，或将 HF_TOKEN 设为有权读取它的令牌</translation></message>
    <message><source>{} answered with status {} when it was asked for {} of {}: try again later</source><translation>向 {0} 请求 {3} 的 {2} 时返回状态 {1}：请稍后重试</translation></message>
    <message><source>{} of {} is larger than such a file can be ({} bytes)</source><translation>{1} 的 {0} 超出此类文件可能的大小（{2} 字节）</translation></message>
    <message><source>{} of {} did not arrive whole from {}: try again</source><translation>从 {2} 接收的 {1} 的 {0} 不完整：请重试</translation></message>
    <message><source>the header of {} did not arrive whole from {}: try again</source><translation>从 {1} 接收的 {0} 的文件头不完整：请重试</translation></message>
    <message><source>{} on {} has no weights of safetensors</source><translation>{1} 上的 {0} 没有 safetensors 权重</translation></message>
    <message><source>{} on {} has neither config.json nor safetensors weights, or the model does not exist</source><translation>{1} 上的 {0} 没有 config.json，也没有 safetensors 权重，或没有该名称的模型</translation></message>
    <message><source>{} of {} names no files of weights, or more than {}</source><translation>{1} 的 {0} 没有列出权重文件，或列出了超过 {2} 个</translation></message>
    <message><source>{} on {} lacks {}, which its index names</source><translation>{1} 上的 {0} 缺少其索引中列出的 {2}</translation></message>
    <message><source>{} holds no array</source><translation>{} 中没有数组</translation></message>
    <message><source>{} has no array &apos;{}&apos;{}</source><translation>{} 中没有数组 &apos;{}&apos;{}</translation></message>
    <message><source>{}: &apos;{}&apos; is a single number without rows: name the arrays that you want</source><translation>{}：&apos;{}&apos; 是单个数值，没有行：请指定所需的数组</translation></message>
    <message><source>{}: &apos;{}&apos; has {} rows and &apos;{}&apos; has {}: name the arrays that belong together</source><translation>{}：&apos;{}&apos; 有 {} 行，而 &apos;{}&apos; 有 {} 行：请指定属于同一组的数组</translation></message>
    <message><source>{} is of type {}, which is not supported for data: name the tensors to read</source><translation>{} 的类型为 {}，不支持用作数据：请指定要读取的张量</translation></message>
    <message><source>{}: tensor &apos;{}&apos;</source><translation>{}：张量 &apos;{}&apos;</translation></message>
    <message><source>column &apos;{}&apos; is of Arrow&apos;s type &apos;{}&apos;, which cannot be read: name the columns that you want</source><translation>列 &apos;{}&apos; 的 Arrow 类型为 &apos;{}&apos;，无法读取：请指定所需的列</translation></message>
    <message><source>column &apos;{}&apos; is of Arrow&apos;s type &apos;{}&apos; inside of a list, which cannot be read: name the columns that you want</source><translation>列 &apos;{}&apos; 在列表中的 Arrow 类型为 &apos;{}&apos;，无法读取：请指定所需的列</translation></message>
    <message><source>column &apos;{}&apos; refers to value {} of a dictionary of {}: the file is damaged</source><translation>列 &apos;{}&apos; 引用了字典的第 {} 个值，而字典只有 {} 个值：文件已损坏</translation></message>
    <message><source>column &apos;{}&apos; has a list outside of its values: the file is damaged</source><translation>列 &apos;{}&apos; 有一个列表超出其值的范围：文件已损坏</translation></message>
    <message><source>it was not built</source><translation>未构建</translation></message>
    <message><source>it has no entry</source><translation>没有入口点</translation></message>
    <message><source>{} is of another version of Trainyard</source><translation>{} 属于其他版本的 Trainyard</translation></message>
    <message><source>{}: Parquet and Arrow files need the Arrow plug-in, which cannot be used here ({}): run packaging/pyarrow and build again, or name its file in TRAINYARD_ARROW_PLUGIN</source><translation>{}：Parquet 和 Arrow 文件需要 Arrow 插件，但此处无法使用（{}）：请运行 packaging/pyarrow 并重新构建，或在 TRAINYARD_ARROW_PLUGIN 中指定其文件</translation></message>
    <message><source>{} claims {} rows in group {}: it is damaged</source><translation>{0} 声称第 {2} 组有 {1} 行：文件已损坏</translation></message>
    <message><source>{} cannot be read: {}</source><translation>无法读取 {}：{}</translation></message>
    <message><source>{} was changed while it was being read: start again with a file that stays as it is</source><translation>{} 在读取时被更改：请使用保持不变的文件重新开始</translation></message>
    <message><source>{}: its rows {} to {} cannot be read: {}</source><translation>{}：无法读取第 {} 至 {} 行：{}</translation></message>
    <message><source>{}: its rows {} to {} cannot be read: there are {} of them</source><translation>{}：无法读取第 {} 至 {} 行：实际有 {} 行</translation></message>
    <message><source>{}: column &apos;{}&apos;, row {}, which is row {} of {}: {}: write the column as UTF-8, or as binary if it is not text</source><translation>{}：列“{}”，第 {} 行，即{4}的第 {3} 行：{5}：请以 UTF-8 写入该列，若不是文本则写为二进制</translation></message>
    <message><source>row group {}</source><translation>行组 {}</translation></message>
    <message><source>record batch {}</source><translation>记录批 {}</translation></message>
    <message><source>{} has {} rows, but reading would continue at row {}: the position belongs to another file</source><translation>{} 有 {} 行，而读取应从第 {} 行继续：这不是该位置所对应的文件</translation></message>
    <message><source>the separator of a CSV file is a quote or a line end: choose a comma, &apos;;&apos;, &apos;|&apos; or a tabulator</source><translation>CSV 文件的分隔符是引号或换行符：请选择逗号、&apos;;&apos;、&apos;|&apos; 或制表符</translation></message>
    <message><source>{} fields, the file has {} columns</source><translation>{} 个字段，而文件有 {} 列</translation></message>
    <message><source>column &apos;{}&apos; is {} {}, but &apos;{}&apos; does not have that type: {}</source><translation>{2}，列 &apos;{0}&apos; 为 {1}，而 &apos;{3}&apos; 不是：{4}</translation></message>
    <message><source>as was asked for</source><translation>按要求</translation></message>
    <message><source>by the first {} rows</source><translation>根据前 {} 行</translation></message>
    <message><source>correct the value or choose another type</source><translation>请修正该值或指定其他类型</translation></message>
    <message><source>give its type (types: {{{}: text}}) or infer from more rows</source><translation>请指定其类型（types: {{{}: text}}），或根据更多行推断</translation></message>
    <message><source>{} is empty: a CSV file begins with the names of its columns</source><translation>{} 为空：CSV 文件须以列名开头</translation></message>
    <message><source>column &apos;{}&apos; is there twice: give other names</source><translation>列 &apos;{}&apos; 出现了两次：请使用其他名称</translation></message>
    <message><source>{} has {} columns and {} names were given</source><translation>{} 有 {} 列，而给出了 {} 个名称</translation></message>
    <message><source>{} has no column &apos;{}&apos;, whose type was given{}</source><translation>{} 中没有已指定类型的列 &apos;{}&apos;{}</translation></message>
    <message><source>{} is more than 32 folders deep: is there a circle of links?</source><translation>{} 的深度超过 32 层文件夹：链接是否形成了循环？</translation></message>
    <message><source>{} cannot be read as an image: {}</source><translation>无法将 {} 作为图像读取：{}</translation></message>
    <message><source>it claims {} × {} pixels, more than the {} that are allowed</source><translation>其声称有 {} × {} 像素，超过允许的 {}</translation></message>
    <message><source>it is neither PNG nor JPEG</source><translation>既不是 PNG 也不是 JPEG</translation></message>
    <message><source>it has {}</source><translation>其大小为 {}</translation></message>
    <message><source>cannot read the images of {}: {}</source><translation>无法读取 {} 中的图像：{}</translation></message>
    <message><source>{} has no sub-folders: put the images of each class in a folder with the class&apos;s name</source><translation>{} 没有子文件夹：请将每个类别的图像放入以该类别命名的文件夹</translation></message>
    <message><source>there is no image (.png .jpg .jpeg) in the class folder</source><translation>没有图像（.png .jpg .jpeg）的类别文件夹：</translation></message>
    <message><source>there is no image (.png .jpg .jpeg) in the class folders</source><translation>没有图像（.png .jpg .jpeg）的类别文件夹：</translation></message>
    <message><source>its colours are of an unknown kind</source><translation>其颜色类型未知</translation></message>
    <message><source>a picture of {} × {} pixels and {} channels cannot be written as PNG: give it 1 or 3 channels, and at least one pixel</source><translation>{} × {} 像素、{} 个通道的图像无法写为 PNG：须有 1 或 3 个通道，且至少有一个像素</translation></message>
    <message><source>a picture cannot be written as PNG: {}</source><translation>无法将图像写为 PNG：{}</translation></message>
    <message><source>this line begins a list, and JSON Lines has an object in each line: write one object per line</source><translation>此行以列表开头，而 JSON Lines 每行是一个对象：请每行写一个对象</translation></message>
    <message><source>this line is not valid JSON: {}</source><translation>此行不是有效的 JSON：{}</translation></message>
    <message><source>this line is not a JSON object ({...})</source><translation>此行不是 JSON 对象（{...}）</translation></message>
    <message><source>{}: the member &apos;{}&apos; inside of an object has the name of another one: name the columns that you want</source><translation>{}：对象内的成员 &apos;{}&apos; 与另一个成员同名：请指定所需的列</translation></message>
    <message><source>{} has no member &apos;{}&apos;, whose type was given{}</source><translation>{} 中没有已指定类型的成员 &apos;{}&apos;{}</translation></message>
    <message><source>{} has no member &apos;{}&apos; in its first {} rows{}</source><translation>{0} 的前 {2} 行中没有成员 &apos;{1}&apos;{3}</translation></message>
    <message><source>the member &apos;{}&apos; is in none of the first {} rows: name the columns that you want or infer from more rows</source><translation>成员 &apos;{}&apos; 不在前 {} 行中：请指定所需的列，或根据更多行推断</translation></message>
    <message><source>the member &apos;{}&apos; is an object in the first {} rows and none here</source><translation>成员 &apos;{}&apos; 在前 {} 行中是对象，而此处不是</translation></message>
    <message><source>the member &apos;{}&apos; is there twice</source><translation>成员 &apos;{}&apos; 出现了两次</translation></message>
    <message><source>the member &apos;{}&apos; is {} {} and is not here: {}</source><translation>{2}，成员 &apos;{0}&apos; 为 {1}，而此处不是：{3}</translation></message>
    <message><source>a list of {}</source><translation>{} 的列表</translation></message>
    <message><source>give its type (types: {{{}: float64}}) or infer from more rows</source><translation>请指定其类型（types: {{{}: float64}}），或根据更多行推断</translation></message>
    <message><source>&apos;{}&apos; does not split data: give up to three numbers for training, validation and test, e.g. 969,30,1</source><translation>&apos;{}&apos; 无法用于划分数据：请给出至多三个数，分别用于训练、验证和测试，例如 969,30,1</translation></message>
    <message><source>{}: sequences {} to {} have no tokens</source><translation>{}：第 {} 至 {} 个序列没有 token</translation></message>
    <message><source>{} samples need {} epochs of {}: ask for fewer</source><translation>{0} 个样本需要 {2} 的 {1} 个 epoch：请减少数量</translation></message>
    <message><source>{}: sequences {} to {} have {} tokens, too few for one sample of {}: add data or shorten the samples</source><translation>{}：第 {} 至 {} 个序列有 {} 个 token，不足一个 {} 个 token 的样本：请增加数据或缩短样本</translation></message>
    <message><source>{} is not a valid weight of a data set: give numbers of at least 0</source><translation>{} 不是有效的数据集权重：请使用不小于 0 的数</translation></message>
    <message><source>the weights of a blend of data sets have no sum above 0: give each set a weight</source><translation>混合数据集的权重之和不大于 0：请为每个数据集指定权重</translation></message>
    <message><source>{} is not a valid index of an indexed set: {}</source><translation>{} 不是索引数据集的有效索引：{}</translation></message>
    <message><source>it is of version {}, known is 1</source><translation>其版本为 {}，已知的是 1</translation></message>
    <message><source>its type code is {}, known are 1 to 8</source><translation>其类型代码为 {}，已知的是 1 到 8</translation></message>
    <message><source>it claims {} sequences and {} documents, too many for its {} bytes</source><translation>其声称有 {} 个序列和 {} 个文档，超出其 {} 字节的容量</translation></message>
    <message><source>{} bytes follow its last number</source><translation>其最后一个数之后还有 {} 字节</translation></message>
    <message><source>{}: sequence {} ({} tokens at byte {}) is outside the {} bytes of {}: one of the two files is truncated or belongs to another set</source><translation>{0}：第 {1} 个序列（{2} 个 token，位于字节 {3}）不在 {5} 的 {4} 字节之内：两个文件之一被截断或属于其他数据集</translation></message>
    <message><source>document {} begins at sequence {}, which is not one of its {}</source><translation>第 {} 个文档从第 {} 个序列开始，而序列共 {} 个</translation></message>
    <message><source>{} holds {} numbers, and tokens are whole ones</source><translation>{} 中的数为 {}，而 token 须为整数</translation></message>
    <message><source>an indexed set of {} cannot be written: tokens are uint8, int8, int16, uint16, int32 or int64</source><translation>无法写出 {} 的索引数据集：token 须为 uint8、int8、int16、uint16、int32 或 int64</translation></message>
    <message><source>a sequence of {} tokens is too long for an indexed set</source><translation>{} 个 token 的序列对于索引数据集过长</translation></message>
    <message><source>token {} does not fit {}: choose a wider type for {}</source><translation>token {} 超出 {} 的范围：请为 {} 选择更宽的类型</translation></message>
    <message><source>it holds structures (records with named fields): store each field as an array of its own</source><translation>其中为结构体（带命名字段的记录）：请将每个字段保存为单独的数组</translation></message>
    <message><source>its header has an entry &apos;{}&apos; that does not belong there</source><translation>文件头中有不应存在的条目 &apos;{}&apos;</translation></message>
    <message><source>its header is not a dictionary</source><translation>文件头不是字典</translation></message>
    <message><source>there is text after its header</source><translation>文件头之后还有文本</translation></message>
    <message><source>its header lacks one of descr, fortran_order and shape</source><translation>文件头缺少 descr、fortran_order 和 shape 之一</translation></message>
    <message><source>{} is not a valid array file: {}</source><translation>{} 不是有效的数组文件：{}</translation></message>
    <message><source>its header is not a dictionary with text keys</source><translation>文件头不是以文本为键的字典</translation></message>
    <message><source>a text in its header is not closed</source><translation>文件头中有文本没有闭合</translation></message>
    <message><source>a text in its header has an escape</source><translation>文件头中的文本含有转义</translation></message>
    <message><source>fortran_order is neither True nor False</source><translation>fortran_order 既不是 True 也不是 False</translation></message>
    <message><source>a number of its shape is too large</source><translation>其形状中有一个数过大</translation></message>
    <message><source>its shape is not a tuple of numbers</source><translation>其形状不是由数组成的元组</translation></message>
    <message><source>it has more than 64 dimensions</source><translation>其维度超过 64</translation></message>
    <message><source>it holds Python objects, which cannot be read without running them: store numbers</source><translation>其中为 Python 对象，不执行便无法读取：请保存数值</translation></message>
    <message><source>its type is &apos;{}&apos;: numbers (b1, i1-i8, u1-u8, f2-f8) can be read</source><translation>其类型为 &apos;{}&apos;：可读取的是数值（b1、i1-i8、u1-u8、f2-f8）</translation></message>
    <message><source>{} is not a NumPy array: {}</source><translation>{} 不是 NumPy 数组：{}</translation></message>
    <message><source>it does not begin as one</source><translation>开头不符</translation></message>
    <message><source>it is of an unknown version</source><translation>版本未知</translation></message>
    <message><source>its header claims more than a megabyte</source><translation>文件头声称的大小超过 1 MB</translation></message>
    <message><source>{} is compressed and needs {} bytes of memory, more than memory_limit: store it with numpy.savez, which is read in pieces</source><translation>{} 经过压缩，需要 {} 字节内存，超过 memory_limit：请用 numpy.savez 保存，以便分块读取</translation></message>
    <message><source>its header is cut off</source><translation>文件头被截断</translation></message>
    <message><source>its shape is too large</source><translation>其形状过大</translation></message>
    <message><source>its shape ({}) needs {} bytes and the file has {}: it is cut off or lies</source><translation>其形状（{}）需要 {} 字节，而文件有 {}：文件被截断或内容不实</translation></message>
    <message><source>{} cannot be written: NumPy has no type {}</source><translation>无法写入 {}：NumPy 没有类型 {}</translation></message>
    <message><source>{} has {} bytes, but reading would continue at byte {}: the position belongs to another file</source><translation>{} 有 {} 字节，而读取应从第 {} 字节继续：这不是该位置所对应的文件</translation></message>
    <message><source>{}: the record at byte {} is longer than {}: raise record_limit unless the file is damaged</source><translation>{}：字节 {} 处的记录长于 {}：若文件未损坏，请增大 record_limit</translation></message>
    <message><source>{} has fewer rows than when it was counted: it was changed while it was read</source><translation>{} 的行数少于计数时：文件在读取时被更改</translation></message>
    <message><source>{} is not a regular file: give a data file</source><translation>{} 不是普通文件：请指定数据文件</translation></message>
    <message><source>{} ends at byte {}, it had {} bytes when it was opened: it was changed or cut while it was being read, start again with a file that stays as it is</source><translation>{} 在字节 {} 处结束，打开时有 {} 字节：文件在读取时被更改或截断，请使用保持不变的文件重新开始</translation></message>
    <message><source>{} is cut off: {} bytes at {} were to be read, it has {}</source><translation>{0} 被截断：要在 {2} 处读取 {1} 字节，而文件有 {3}</translation></message>
    <message><source>there is no type &apos;{}&apos;{}</source><translation>没有类型 &apos;{}&apos;{}</translation></message>
    <message><source>{}: list of {}</source><translation>{}：{} 的列表</translation></message>
    <message><source>there is no column &apos;{}&apos;{}</source><translation>没有列 &apos;{}&apos;{}</translation></message>
    <message><source>{} has {}, and a whole file may have {}: raise record_limit or read its lines</source><translation>{} 的大小为 {}，而整个文件上限为 {}：请增大 record_limit 或按行读取</translation></message>
    <message><source>{}: its extension does not identify the data format (known: {}): set the format</source><translation>{}：其扩展名无法确定数据格式（已知：{}）：请设置格式</translation></message>
    <message><source>there is no data format &apos;{}&apos;{}</source><translation>没有数据格式 &apos;{}&apos;{}</translation></message>
    <message><source>{} holds no file that {} and is not empty</source><translation>{} 中没有{}且非空的文件</translation></message>
    <message><source>has the ending of a data format</source><translation>具有数据格式扩展名</translation></message>
    <message><source>matches &apos;{}&apos;</source><translation>匹配 &apos;{}&apos; </translation></message>
    <message><source>no file that is not empty matches {}</source><translation>没有匹配 {} 且非空的文件</translation></message>
    <message><source>no data was named: name files or folders</source><translation>未指定数据：请指定文件或文件夹</translation></message>
    <message><source>{} has other columns than {}: {}: give all files the same columns</source><translation>{} 的列与 {} 不同：{}：请让所有文件具有相同的列</translation></message>
    <message><source>no data files are given</source><translation>未指定数据文件</translation></message>
    <message><source>column &apos;{}&apos; is missing</source><translation>缺少列“{}”</translation></message>
    <message><source>{} there and {} here</source><translation>那里是 {}，这里是 {}</translation></message>
    <message><source>column &apos;{}&apos; is not there</source><translation>那里没有列“{}”</translation></message>
    <message><source>the data set has {} files, and reading was to continue in file {}: it is not the set that the position is of</source><translation>数据集有 {} 个文件，而读取应从第 {} 个文件继续：这不是该位置所对应的数据集</translation></message>
    <message><source>{} was changed since the checkpoint was saved, so that reading cannot continue where it stopped: restore the old file, or start the epoch again</source><translation>{} 在保存 checkpoint 之后被更改，无法从原位置继续读取：请恢复原来的文件，或重新开始此 epoch</translation></message>
    <message><source>{} is not a valid ZIP archive</source><translation>{} 不是有效的 ZIP 归档</translation></message>
    <message><source>&apos;{}&apos; is damaged: {}</source><translation>&apos;{}&apos; 已损坏：{}</translation></message>
    <message><source>its bytes are not deflate data</source><translation>其字节不是 deflate 数据</translation></message>
    <message><source>&apos;{}&apos; has {} bytes, its directory says {}</source><translation>&apos;{}&apos; 有 {} 字节，而目录记录为 {}</translation></message>
    <message><source>the checksum of &apos;{}&apos; differs: the file is damaged</source><translation>&apos;{}&apos; 的校验和不符：文件已损坏</translation></message>
    <message><source>{} must be an object of tokens and their ids</source><translation>{} 必须是由 token 及其 ID 组成的对象</translation></message>
    <message><source>{}: the id of &apos;{}&apos; must be a number from 0 to 268435455</source><translation>{}：&apos;{}&apos; 的 ID 必须是 0 到 268435455 的数</translation></message>
    <message><source>{}: merge {} of &apos;{}&apos; and &apos;{}&apos; needs the token &apos;{}&apos;, which the vocabulary lacks</source><translation>{0}：&apos;{2}&apos; 与 &apos;{3}&apos; 的合并 {1} 需要 token &apos;{4}&apos;，而词表中没有它</translation></message>
    <message><source>the vocabulary lacks unk_token &apos;{}&apos;, which a text needs</source><translation>词表中没有 unk_token &apos;{}&apos;，而某个文本需要它</translation></message>
    <message><source>{}.dropout gives other tokens at each use, which Trainyard does not do: set it to null</source><translation>{}.dropout 会使每次得到的 token 不同，Trainyard 不支持：请设为 null</translation></message>
    <message><source>{}.merges: entry {} must be two tokens, as a list or with one blank between them</source><translation>{}.merges：条目 {} 必须是两个 token，写成列表或以一个空格分隔</translation></message>
    <message><source>an object of tokens and their ids</source><translation>由 token 及其 ID 组成的对象</translation></message>
    <message><source>a byte-level vocabulary has at least {} tokens: 256 bytes and {} special ones</source><translation>字节级词表至少有 {} 个 token：256 个字节和 {} 个特殊 token</translation></message>
    <message><source>the tokenizer to be trained</source><translation>待训练的分词器</translation></message>
    <message><source>{} is not base64</source><translation>{} 不是 base64</translation></message>
    <message><source>{} is damaged: it is too short</source><translation>{} 已损坏：长度过短</translation></message>
    <message><source>{} is damaged: its trie is said to be longer than it is</source><translation>{} 已损坏：其 trie 声明的长度超过数据本身</translation></message>
    <message><source> do not</source><translation> do not</translation></message>
    <message><source>one character</source><translation>一个字符</translation></message>
    <message><source>{}: the decoder &apos;{}&apos; is not known</source><translation>{}：解码器 &apos;{}&apos; 未知</translation></message>
    <message><source>truncation: stride {} must be less than max_length, of which {} are left beside special tokens</source><translation>截断：stride {} 必须小于 max_length，其中除特殊 token 外还剩 {}</translation></message>
    <message><source>{}: &apos;{}&apos; must be {}</source><translation>{}：&apos;{}&apos; 必须是：{}</translation></message>
    <message><source>a number from 0 to 2147483647</source><translation>0 到 2147483647 的数</translation></message>
    <message><source>{} must be an object with a &apos;type&apos;</source><translation>{} 必须是含 &apos;type&apos; 的对象</translation></message>
    <message><source>{}: the normalizer &apos;{}&apos; is not known</source><translation>{}：规范化器 &apos;{}&apos; 未知</translation></message>
    <message><source>{}.pattern: {}</source><translation>{}.pattern：{}</translation></message>
    <message><source>{&quot;String&quot;: text} or {&quot;Regex&quot;: expression}</source><translation>{&quot;String&quot;: 文本} 或 {&quot;Regex&quot;: 表达式}</translation></message>
    <message><source>an object</source><translation>一个对象</translation></message>
    <message><source>the template of the post-processor needs a second text</source><translation>后处理器的模板需要第二个文本</translation></message>
    <message><source>{} must be {{&quot;Sequence&quot;: ...}} or {{&quot;SpecialToken&quot;: ...}}</source><translation>{} 必须是 {{&quot;Sequence&quot;: ...}} 或 {{&quot;SpecialToken&quot;: ...}}</translation></message>
    <message><source>{}: &apos;{}&apos; is not among special_tokens</source><translation>{}：special_tokens 中没有 &apos;{}&apos;</translation></message>
    <message><source>{}: ids and tokens of &apos;{}&apos; do not go together</source><translation>{}：&apos;{}&apos; 的 ID 与 token 不对应</translation></message>
    <message><source>a list of a token and its id</source><translation>由一个 token 及其 ID 组成的列表</translation></message>
    <message><source>{}: the post-processor &apos;{}&apos; is not known</source><translation>{}：后处理器 &apos;{}&apos; 未知</translation></message>
    <message><source>Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous</source><translation>Removed、Isolated、MergedWithPrevious、MergedWithNext 或 Contiguous</translation></message>
    <message><source>always, first or never</source><translation>always、first 或 never</translation></message>
    <message><source>at least 1</source><translation>至少 1</translation></message>
    <message><source>{}: the pre-tokenizer &apos;{}&apos; is not known</source><translation>{}：预分词器 &apos;{}&apos; 未知</translation></message>
    <message><source>{} must be an object</source><translation>{} 必须是对象</translation></message>
    <message><source>a text of 4 GiB or more cannot be tokenized at once: divide it</source><translation>4 GiB 或更大的文本无法一次分词：请拆分</translation></message>
    <message><source>the text</source><translation>文本</translation></message>
    <message><source>truncation: max_length {} is less than the {} special tokens that are added</source><translation>截断：max_length {} 小于要添加的 {} 个特殊 token</translation></message>
    <message><source>truncation: the strategy OnlySecond needs a second text</source><translation>截断：策略 OnlySecond 需要第二个文本</translation></message>
    <message><source>truncation: the second text has {} tokens, and {} would have to go</source><translation>截断：第二个文本有 {} 个 token，需去掉 {} 个</translation></message>
    <message><source>truncation: the first text has {} tokens, and {} would have to go</source><translation>截断：第一个文本有 {} 个 token，需去掉 {} 个</translation></message>
    <message><source>{} is not JSON: {}</source><translation>{} 不是 JSON：{}</translation></message>
    <message><source>{} must be an object with a &apos;model&apos;: is this a tokenizer.json?</source><translation>{} 必须是含 &apos;model&apos; 的对象：这是 tokenizer.json 吗？</translation></message>
    <message><source>{} is not UTF-8: byte {} is 0x{:02x}</source><translation>{} 不是 UTF-8：第 {} 字节为 0x{}</translation></message>
    <message><source>{}.vocab: entry {} must be a list of a piece and its score</source><translation>{}.vocab：条目 {} 必须是由片段及其分数组成的列表</translation></message>
    <message><source>{}.unk_id is {}, and the vocabulary has {} pieces</source><translation>{}.unk_id 为 {}，而词表有 {} 个片段</translation></message>
    <message><source>the vocabulary has no unk_id, which a text needs</source><translation>词表没有 unk_id，而某个文本需要它</translation></message>
    <message><source>{}: model</source><translation>{}：model</translation></message>
    <message><source>{}: &apos;model&apos; must be an object: is this a tokenizer.json?</source><translation>{}：&apos;model&apos; 必须是对象：这是 tokenizer.json 吗？</translation></message>
    <message><source>{}.type &apos;{}&apos; is not known: it is BPE, Unigram, WordPiece or WordLevel</source><translation>{}.type &apos;{}&apos; 未知：应为 BPE、Unigram、WordPiece 或 WordLevel</translation></message>
    <message><source>{} is truncated: a chunk of &apos;{}&apos; ends beyond the file (at byte {} of {})</source><translation>{} 被截断：&apos;{}&apos; 的一个块超出文件末尾（止于第 {} 字节，共 {} 字节）</translation></message>
    <message><source>{} is damaged: there is no tensor</source><translation>{} 已损坏：其中没有张量</translation></message>
    <message><source>{} is damaged: the tensor there has another shape or dtype than the list says</source><translation>{} 已损坏：其中张量的形状或 dtype 与列表所述不同</translation></message>
    <message><source>{} is damaged: &apos;{}&apos; needs {} bytes and its chunks have {}</source><translation>{} 已损坏：&apos;{}&apos; 需要 {} 字节，而它的块只有 {} 字节</translation></message>
    <message><source>it lists no tensors or no places of them</source><translation>其中没有列出张量或张量的位置</translation></message>
    <message><source>the name &apos;{}&apos; is there twice</source><translation>名称 &apos;{}&apos; 出现两次</translation></message>
    <message><source>{} is not valid metadata of a distributed checkpoint: {}</source><translation>{} 不是有效的分布式 checkpoint 元数据：{}</translation></message>
    <message><source>a name is missing, too long, or no text</source><translation>某个名称缺失、过长或不是文本</translation></message>
    <message><source>the place of &apos;{}&apos; is negative or no number</source><translation>&apos;{}&apos; 的位置为负数或不是数字</translation></message>
    <message><source>the file &apos;{}&apos; of &apos;{}&apos; leaves the folder</source><translation>&apos;{1}&apos; 的文件 &apos;{0}&apos; 超出了文件夹范围</translation></message>
    <message><source>&apos;{}&apos; is stored compressed, which is not read: save the checkpoint without it</source><translation>&apos;{}&apos; 以压缩方式存储，无法读取：请不带压缩保存 checkpoint</translation></message>
    <message><source>a chunk of &apos;{}&apos; is there twice</source><translation>&apos;{}&apos; 的某个块出现两次</translation></message>
    <message><source>the keys of an entry are nested too deeply</source><translation>某个条目的键嵌套过深</translation></message>
    <message><source>&apos;{}&apos; has no sound shape, chunks or properties</source><translation>&apos;{}&apos; 的形状、块或属性无效</translation></message>
    <message><source>a chunk of &apos;{}&apos; has no sound offset or size</source><translation>&apos;{}&apos; 的某个块的偏移或大小无效</translation></message>
    <message><source>the place of a chunk of &apos;{}&apos; is missing</source><translation>&apos;{}&apos; 的某个块缺少位置</translation></message>
    <message><source>&apos;{}&apos; has no dtype</source><translation>&apos;{}&apos; 没有 dtype</translation></message>
    <message><source>the shape of &apos;{}&apos; is too large</source><translation>&apos;{}&apos; 的形状过大</translation></message>
    <message><source>a chunk of &apos;{}&apos; reaches beyond its shape</source><translation>&apos;{}&apos; 的某个块超出其形状</translation></message>
    <message><source>the chunks of &apos;{}&apos; overlap</source><translation>&apos;{}&apos; 的各块相互重叠</translation></message>
    <message><source>the chunks of &apos;{}&apos; do not cover it</source><translation>&apos;{}&apos; 的各块未完全覆盖它</translation></message>
    <message><source>&apos;{}&apos; is cut in too irregular a way</source><translation>&apos;{}&apos; 的切分方式过于不规则</translation></message>
    <message><source>{} is {} [{}] and {} is {} [{}]: experts that are written as one tensor must be alike</source><translation>{} 为 {} [{}]，而 {} 为 {} [{}]：写成一个张量的各专家必须相同</translation></message>
    <message><source>{} [{}] and {} [{}] are not the experts of a block: expected [experts, 2 * inner, hidden] and [experts, hidden, inner]</source><translation>{} [{}] 和 {} [{}] 不是一个块的专家：应为 [experts, 2 * inner, hidden] 和 [experts, hidden, inner]</translation></message>
    <message><source>it does not begin with GGUF</source><translation>文件不以 GGUF 开头</translation></message>
    <message><source>its numbers have the highest byte first: convert it on a machine of the usual byte order</source><translation>其中的数采用大端字节序：请在常见字节序的机器上转换</translation></message>
    <message><source>it has version {}, and 2 and 3 can be read</source><translation>其版本为 {}，可读取的版本为 2 和 3</translation></message>
    <message><source>the key &apos;{}&apos; is there twice</source><translation>键 &apos;{}&apos; 出现两次</translation></message>
    <message><source>its alignment {} is not a power of two up to 1 MiB</source><translation>其对齐值 {} 不是不超过 1 MiB 的 2 的幂</translation></message>
    <message><source>{} is not a whole GGUF file: {}</source><translation>{} 不是完整的 GGUF 文件：{}</translation></message>
    <message><source>its header extends past byte {}: the file is truncated</source><translation>其文件头超出第 {} 字节：文件被截断</translation></message>
    <message><source>a text in its header is longer than 1 GiB</source><translation>文件头中的某个文本超过 1 GiB</translation></message>
    <message><source>the value of &apos;{}&apos; has the unknown type {}</source><translation>&apos;{}&apos; 的值类型 {} 未知</translation></message>
    <message><source>a value in its header has an unknown type</source><translation>文件头中某个值的类型未知</translation></message>
    <message><source>a list in its header is nested too deeply</source><translation>文件头中的某个列表嵌套过深</translation></message>
    <message><source>tensor &apos;{}&apos; has {} dimensions</source><translation>张量 &apos;{}&apos; 有 {} 个维度</translation></message>
    <message><source>tensor &apos;{}&apos; has a shape that is too large</source><translation>张量 &apos;{}&apos; 的形状过大</translation></message>
    <message><source>tensor &apos;{}&apos; has rows of {} elements, no multiple of the {} of a block of {}</source><translation>张量 &apos;{0}&apos; 的每行有 {1} 个元素，不是 {3} 块大小 {2} 的倍数</translation></message>
    <message><source>tensor &apos;{}&apos; does not begin at a multiple of {}</source><translation>张量 &apos;{}&apos; 的起点不是 {} 的倍数</translation></message>
    <message><source>tensor &apos;{}&apos; extends past the {} bytes of the file: it is truncated</source><translation>张量 &apos;{}&apos; 超出文件的 {} 字节：文件被截断</translation></message>
    <message><source>tensors &apos;{}&apos; and &apos;{}&apos; overlap</source><translation>张量 &apos;{}&apos; 和 &apos;{}&apos; 重叠</translation></message>
    <message><source>{} is a file: name a folder for the result</source><translation>{} 是文件：请为结果指定文件夹</translation></message>
    <message><source>{} is inside the checkpoint that it is made from: name another folder</source><translation>{} 位于其来源 checkpoint 中：请指定其他文件夹</translation></message>
    <message><source>{} is a file: name its folder</source><translation>{} 是文件：请指定其所在的文件夹</translation></message>
    <message><source>the weights are written to {}, but {} cannot be removed: {}</source><translation>权重已写入 {}，但无法移除 {}：{}</translation></message>
    <message><source>&apos;{}&apos; is not a size: give a number and a unit, such as 5GB or 500MiB</source><translation>&apos;{}&apos; 不是大小：请给出数字和单位，例如 5GB 或 500MiB</translation></message>
    <message><source>{} became shorter while it was read</source><translation>读取过程中 {} 变短了</translation></message>
    <message><source>{}: the entry &apos;{}&apos; is not one of an offloaded weight: it needs dtype and shape</source><translation>{}：条目 &apos;{}&apos; 不属于任何已卸载的权重：它需要 dtype 和 shape</translation></message>
    <message><source>offload folder</source><translation>卸载文件夹</translation></message>
    <message><source>{}: &apos;{}&apos; is not the name of a tensor</source><translation>{}：&apos;{}&apos; 不是张量名称</translation></message>
    <message><source>{} is missing, though {} names &apos;{}&apos;</source><translation>缺少 {}，但 {} 中列有 &apos;{}&apos;</translation></message>
    <message><source>{} has {} bytes, and its entry in {} needs {}</source><translation>{} 有 {} 字节，而它在 {} 中的条目需要 {} 字节</translation></message>
    <message><source>{} has no tensor &apos;{}&apos;, though {} says so</source><translation>{} 中没有张量 &apos;{}&apos;，但 {} 称其存在</translation></message>
    <message><source>{}: &apos;{}&apos; is stored as {} and asked for as {}</source><translation>{}：&apos;{}&apos; 存储为 {}，请求的却是 {}</translation></message>
    <message><source>{} is a file: name a folder for offloaded weights</source><translation>{} 是文件：请为卸载的权重指定文件夹</translation></message>
    <message><source>&apos;{}&apos; cannot be a file&apos;s name, which offloading to {} needs</source><translation>&apos;{}&apos; 不能用作文件名，而卸载到 {} 需要它作为文件名</translation></message>
    <message><source>it ends without its end mark</source><translation>文件末尾没有结束标记</translation></message>
    <message><source>it is of protocol {}, and only 2 to 5 are read</source><translation>其协议为 {}，只能读取 2 到 5</translation></message>
    <message><source>it announces a frame of {} bytes where {} are left</source><translation>其中声明了 {} 字节的帧，但只剩 {} 字节</translation></message>
    <message><source>it is nested too deeply</source><translation>嵌套过深</translation></message>
    <message><source>it names a global by something other than text</source><translation>以非文本的内容指定全局名称</translation></message>
    <message><source>it makes an object in a way that torch.save never does</source><translation>创建对象的方式是 torch.save 从不使用的</translation></message>
    <message><source>it gives a state to something that has none</source><translation>为没有状态的对象设置了状态</translation></message>
    <message><source>its instruction 0x{:02x} is unknown or never written by torch.save</source><translation>其中的指令 0x{} 未知，或 torch.save 从不写出</translation></message>
    <message><source>it takes more than it gave</source><translation>取出的内容多于放入的内容</translation></message>
    <message><source>it takes entry {} of its memory, which is empty</source><translation>读取的记忆条目 {} 为空</translation></message>
    <message><source>it holds more than {} objects</source><translation>包含的对象超过 {} 个</translation></message>
    <message><source>it holds a text that is not UTF-8</source><translation>含有不是 UTF-8 的文本</translation></message>
    <message><source>it adds items to a value that is not a container</source><translation>向并非容器的对象填充内容</translation></message>
    <message><source>it has a key without a value</source><translation>含有没有值的键</translation></message>
    <message><source>it asks for {}.{}, which checkpoints of tensors do not need</source><translation>要求 {}.{}，而张量的 checkpoint 不需要它</translation></message>
    <message><source>it calls what cannot be called</source><translation>调用了不可调用的对象</translation></message>
    <message><source>it calls {}.{}</source><translation>调用了 {}.{}</translation></message>
    <message><source>it copies the same items again and again</source><translation>反复复制相同的条目</translation></message>
    <message><source>what it gives to {}.{} makes no sense</source><translation>传给 {}.{} 的参数没有意义</translation></message>
    <message><source>a tensor has more than 64 dimensions</source><translation>某个张量的维度超过 64 个</translation></message>
    <message><source>the shape or the strides of a tensor are not lists</source><translation>某个张量的形状或步幅不是列表</translation></message>
    <message><source>the shape or the strides of a tensor are negative or no numbers</source><translation>某个张量的形状或步幅为负数或不是数字</translation></message>
    <message><source>it refers to something outside that is not the storage of a tensor</source><translation>引用了并非张量存储的外部内容</translation></message>
    <message><source>it has a storage of the class {}.{}</source><translation>含有类 {}.{} 的存储</translation></message>
    <message><source>it has a view of a storage, which only torch before 0.4 wrote: save it again with a newer one</source><translation>含有存储的视图，只有 0.4 之前的 torch 才会写出：请用较新版本重新保存</translation></message>
    <message><source>{} is refused: {} (byte {} of its pickle)</source><translation>拒绝读取 {}：{}（其 pickle 的第 {} 字节）</translation></message>
    <message><source>it announces {} bytes where {} are left</source><translation>声明了 {} 字节，但只剩 {} 字节</translation></message>
    <message><source>{} cannot be kept: {}</source><translation>{} 无法保留：{}</translation></message>
    <message><source>it is nested more than {} deep</source><translation>嵌套超过 {} 层</translation></message>
    <message><source>it stands for more than 64 MiB</source><translation>其内容超过 64 MiB</translation></message>
    <message><source>it holds an integer of more than 2040 bits</source><translation>含有超过 2040 位的整数</translation></message>
    <message><source>it holds a {}.{}</source><translation>含有 {}.{}</translation></message>
    <message><source>it holds a tensor where none can be</source><translation>在不能放置张量的位置含有张量</translation></message>
    <message><source>{} is not a file: name a safetensors file</source><translation>{} 不是文件：请指定 safetensors 文件</translation></message>
    <message><source>the header is a list, not a table of tensors</source><translation>文件头是列表，而不是张量表</translation></message>
    <message><source>the header is not a table of tensors</source><translation>文件头不是张量表</translation></message>
    <message><source>&apos;{}&apos; is not a table</source><translation>&apos;{}&apos; 不是表</translation></message>
    <message><source>there is something after the table of tensors</source><translation>张量表之后还有其他内容</translation></message>
    <message><source>is nested too deeply</source><translation>嵌套过深</translation></message>
    <message><source>byte {} of the header: {}</source><translation>文件头的第 {} 字节：{}</translation></message>
    <message><source>the header: {}</source><translation>文件头：{}</translation></message>
    <message><source>the metadata has a value for &apos;{}&apos; that is not text</source><translation>元数据中 &apos;{}&apos; 的值不是文本</translation></message>
    <message><source>the metadata has the key &apos;{}&apos; twice</source><translation>元数据中键 &apos;{}&apos; 出现两次</translation></message>
    <message><source>tensor &apos;{}&apos; {}</source><translation>张量 &apos;{}&apos; {}</translation></message>
    <message><source>has the key &apos;{}&apos; twice</source><translation>的键 &apos;{}&apos; 出现两次</translation></message>
    <message><source>has a dtype of the wrong type</source><translation>的 dtype 类型错误</translation></message>
    <message><source>has a shape that is too large</source><translation>的形状过大</translation></message>
    <message><source>has no {}</source><translation>没有 {}</translation></message>
    <message><source>has {} data_offsets instead of 2</source><translation>有 {} 个 data_offsets，应为 2 个</translation></message>
    <message><source>has a {} of the wrong type</source><translation>的 {} 类型错误</translation></message>
    <message><source>has something in its {} that is not a number</source><translation>的 {} 中含有不是数字的内容</translation></message>
    <message><source>has {} in its {}</source><translation>的 {1} 中有{0}</translation></message>
    <message><source>a negative number</source><translation>负数</translation></message>
    <message><source>not a whole number</source><translation>非整数</translation></message>
    <message><source>has the unknown dtype &apos;{}&apos;</source><translation>的 dtype &apos;{}&apos; 未知</translation></message>
    <message><source>ends before it begins</source><translation>的终点先于起点</translation></message>
    <message><source>overlaps the one before it</source><translation>与前一个张量重叠</translation></message>
    <message><source>begins {} bytes behind the one before it</source><translation>的起点在前一个张量之后 {} 字节</translation></message>
    <message><source>ends at byte {} of the data, but there are only {}: the file is cut</source><translation>止于数据的第 {} 字节，但总共只有 {} 字节：文件被截断</translation></message>
    <message><source>has {} bytes where its shape and dtype need {}</source><translation>有 {} 字节，而其形状和 dtype 需要 {} 字节</translation></message>
    <message><source>{} bytes at the end belong to no tensor</source><translation>末尾的 {} 字节不属于任何张量</translation></message>
    <message><source>it has {} bytes, too few for a header</source><translation>文件有 {} 字节，不足以容纳文件头</translation></message>
    <message><source>its header claims {} bytes, more than the 100 MB allowed</source><translation>其文件头声明为 {} 字节，超过允许的 100 MB</translation></message>
    <message><source>its header claims {} bytes, but only {} follow: the file is cut</source><translation>其文件头声明为 {} 字节，但后面只有 {} 字节：文件被截断</translation></message>
    <message><source>{} is not a whole safetensors file: {}</source><translation>{} 不是完整的 safetensors 文件：{}</translation></message>
    <message><source>its header extends past byte {}</source><translation>其文件头超出第 {} 字节</translation></message>
    <message><source>{} has numbers that {} cannot hold: choose {}</source><translation>{} 中有 {} 无法表示的数：请选择 {}</translation></message>
    <message><source>a wider type</source><translation>范围更大的类型</translation></message>
    <message><source>{}: &apos;{} -&gt; {}&apos; is not a valid pair of names: use &apos;*&apos; once, at the beginning or the end, on both sides</source><translation>{}：&apos;{} -&gt; {}&apos; 不是有效的名称行：&apos;*&apos; 在两侧各出现一次，位于开头或末尾</translation></message>
    <message><source>average of {}</source><translation>{} 个的平均</translation></message>
    <message><source>checkpoint {} lacks &apos;{}&apos;</source><translation>checkpoint {} 缺少 &apos;{}&apos;</translation></message>
    <message><source>&apos;{}&apos; is {} [{}] in checkpoint {} and {} [{}] in the first</source><translation>&apos;{0}&apos; 在 checkpoint {3} 中为 {1} [{2}]，在第一个中为 {4} [{5}]</translation></message>
    <message><source>only checkpoint {} has &apos;{}&apos;</source><translation>只有 checkpoint {} 含有 &apos;{}&apos;</translation></message>
    <message><source>these checkpoints cannot be averaged: {}</source><translation>这些 checkpoint 无法求平均：{}</translation></message>
    <message><source>&apos;{}&apos; is not a type for weights: use fp32, bf16, fp16 or fp64</source><translation>&apos;{}&apos; 不是权重类型：请使用 fp32、bf16、fp16 或 fp64</translation></message>
    <message><source>the table leaves &apos;{}&apos; without a name</source><translation>该表使 &apos;{}&apos; 没有名称</translation></message>
    <message><source>&apos;{}&apos; and &apos;{}&apos; would both be called &apos;{}&apos;</source><translation>&apos;{}&apos; 和 &apos;{}&apos; 都将命名为 &apos;{}&apos;</translation></message>
    <message><source>no tensor has a name that fits {}: look at the names with `trainyard checkpoints show`</source><translation>没有张量的名称与 {} 匹配：请用 `trainyard checkpoints show` 查看名称</translation></message>
    <message><source>{}: the new name of &apos;{}&apos; is not a string</source><translation>{}：&apos;{}&apos; 的新名称不是文本</translation></message>
    <message><source>{}:{}: write &apos;old name -&gt; new name&apos;</source><translation>{}:{}：请写成 &apos;old name -&gt; new name&apos;</translation></message>
    <message><source>{} has no rows: write &apos;old name -&gt; new name&apos; on each line</source><translation>{} 中没有任何行：请在每行写 &apos;old name -&gt; new name&apos;</translation></message>
    <message><source>an average needs two checkpoints or more, and a share for each</source><translation>求平均需要两个或更多 checkpoint，且每个都要有比例</translation></message>
    <message><source>the shares of an average are numbers of 0 or more, and not all 0</source><translation>求平均的比例须为不小于 0 的数，且不能全为 0</translation></message>
    <message><source>a decay of {} does not give an average: use a number between 0 and 1, such as 0.9</source><translation>衰减 {} 不构成平均：请使用 0 到 1 之间的数，例如 0.9</translation></message>
    <message><source>{} is empty: copy it again</source><translation>{} 为空：请重新复制</translation></message>
    <message><source>{} is only a pointer of Git LFS: fetch the file itself with `git lfs pull`</source><translation>{} 只是 Git LFS 指针：请用 `git lfs pull` 获取文件本身</translation></message>
    <message><source>{} holds its numbers with the highest byte first: save it again on a machine of the usual byte order</source><translation>{} 中的数采用大端字节序：请在常见字节序的机器上重新保存</translation></message>
    <message><source>{} is not a weights file: it begins neither as a ZIP archive nor as a pickle, which torch.save writes</source><translation>{} 不是权重文件：开头既不是 ZIP 归档也不是 torch.save 写出的 pickle</translation></message>
    <message><source>{} was not written by torch.save: it is some other pickle</source><translation>{} 不是由 torch.save 写出的：它是其他 pickle</translation></message>
    <message><source>{} has a version of torch.save&apos;s old format that is unknown</source><translation>{} 使用了 torch.save 旧格式的未知版本</translation></message>
    <message><source>{} is damaged: it has a storage that no tensor uses</source><translation>{} 已损坏：其中有没有任何张量使用的存储</translation></message>
    <message><source>{} is cut: the storages of its tensors are missing</source><translation>{} 被截断：缺少其张量的存储</translation></message>
    <message><source>{} is truncated: the storage &apos;{}&apos; ends beyond the file</source><translation>{} 被截断：存储 &apos;{}&apos; 超出文件末尾</translation></message>
    <message><source>the storage &apos;{}&apos; is missing</source><translation>缺少存储 &apos;{}&apos;</translation></message>
    <message><source>the storage &apos;{}&apos; has {} bytes where the pickle says {} elements</source><translation>存储 &apos;{}&apos; 有 {} 字节，而 pickle 声明有 {} 个元素</translation></message>
    <message><source>the shape of a tensor is too large</source><translation>某个张量的形状过大</translation></message>
    <message><source>the strides of a tensor are too large</source><translation>某个张量的步幅过大</translation></message>
    <message><source>a tensor reaches beyond the end of its storage &apos;{}&apos;</source><translation>某个张量超出其存储 &apos;{}&apos; 的末尾</translation></message>
    <message><source>a tensor repeats a few elements without end</source><translation>某个张量无限重复少数几个元素</translation></message>
    <message><source>{} has more than {} values</source><translation>{} 的值超过 {} 个</translation></message>
    <message><source>it is not JSON, or cut</source><translation>它不是 JSON，或被截断</translation></message>
    <message><source>{} is not a weight index: {}</source><translation>{} 不是权重索引：{}</translation></message>
    <message><source>it has no table &apos;weight_map&apos;</source><translation>其中没有 &apos;weight_map&apos; 表</translation></message>
    <message><source>the file of &apos;{}&apos; is not text</source><translation>&apos;{}&apos; 的文件不是文本</translation></message>
    <message><source>{} lacks {} of {} shards, the first one is {}: copy them again</source><translation>{0} 缺少 {2} 个分片中的 {1} 个，首个缺失的是 {3}：请重新复制</translation></message>
    <message><source>{} contains the state of an optimizer and no weights of a model ({}): give the folder or file of the model</source><translation>{} 只含优化器状态，没有模型权重（{}）：请给出模型的文件夹或文件</translation></message>
    <message><source>{} contains no tensors</source><translation>{} 不含张量</translation></message>
    <message><source>{} contains no weights of a model: it has {}</source><translation>{} 不含模型权重，其中有 {}</translation></message>
    <message><source>{}: only the weights are read, not {}</source><translation>{}：只读取权重，不读取 {}</translation></message>
    <message><source>{}: only the weights in &apos;{}&apos; are read, not {}</source><translation>{}：只读取 &apos;{}&apos; 中的权重，不读取 {}</translation></message>
    <message><source>{} has two tensors that would be called &apos;{}&apos;</source><translation>{} 中有两个张量都将命名为 &apos;{}&apos;</translation></message>
    <message><source>distributed checkpoint</source><translation>分布式 checkpoint</translation></message>
    <message><source>{} and {} both have a tensor &apos;{}&apos;</source><translation>{} 和 {} 都含有张量 &apos;{}&apos;</translation></message>
    <message><source>{} has no tensor &apos;{}&apos;, though the index says so</source><translation>{} 中没有张量 &apos;{}&apos;，但索引称其存在</translation></message>
    <message><source>{}: the index does not fit, {} tensors are in another file than it says and {} are not in it, such as &apos;{}&apos;; they are read from where they are</source><translation>{}：索引不符，{} 个张量在索引所述之外的文件中，{} 个不在索引中，例如 &apos;{}&apos;；从其所在位置读取</translation></message>
    <message><source>{} contains no dictionary of tensors</source><translation>{} 中没有张量字典</translation></message>
    <message><source>{} has the tensor &apos;{}&apos;, which was there before</source><translation>{} 含有张量 &apos;{}&apos;，而它先前已出现过</translation></message>
    <message><source>ZeRO stage {} of {} ranks</source><translation>ZeRO 阶段 {}，{} 个 rank</translation></message>
    <message><source>{} has {} tensors packed in a way that cannot be read, such as {}: convert a file of another type, such as Q8_0 or F16</source><translation>{} 有 {} 个张量的打包方式无法读取，例如 {}：请转换其他类型的文件，例如 Q8_0 或 F16</translation></message>
    <message><source>{} does not exist: name the folder of a checkpoint, or a file of weights</source><translation>{} 不存在：请指定 checkpoint 的文件夹或权重文件</translation></message>
    <message><source>{} has shards, but its list &apos;.metadata&apos; is missing: the checkpoint was not saved to its end, or was copied without hidden files</source><translation>{} 中有分片，但缺少其列表 &apos;.metadata&apos;：checkpoint 未保存完成，或复制时漏掉了隐藏文件</translation></message>
    <message><source>{} holds no weights itself: did you mean {}?</source><translation>{} 本身不含权重：是否指 {}？</translation></message>
    <message><source>{} has several files that may be the weights: give the path of one of them, such as {}</source><translation>{} 中有多个可能是权重的文件：请给出其中一个的路径，例如 {}</translation></message>
    <message><source>{} holds no weights: expected .metadata with *.distcp, model.safetensors or pytorch_model.bin, or an index of these</source><translation>{} 中没有权重：应有 .metadata 及 *.distcp、model.safetensors 或 pytorch_model.bin，或它们的索引</translation></message>
    <message><source>{} names no tensors</source><translation>{} 中没有列出张量</translation></message>
    <message><source>{}: safetensors has no type for the elements of &apos;{}&apos;</source><translation>{}：safetensors 没有适合 &apos;{}&apos; 的元素的类型</translation></message>
    <message><source>{}: the shape of &apos;{}&apos; is too large</source><translation>{}：&apos;{}&apos; 的形状过大</translation></message>
    <message><source>{} has names of wrapped modules, whose part {} was left out</source><translation>{} 含有被包装模块的名称，其中的 {} 已去掉</translation></message>
    <message><source>{} has no files of DeepSpeed&apos;s optimizer, so the weights are those of the module, in its type</source><translation>{} 没有 DeepSpeed 优化器的文件，因此权重取自模块，类型与模块相同</translation></message>
    <message><source>{} is read, the only file of weights in its folder</source><translation>读取 {}，文件夹中唯一的权重文件</translation></message>
    <message><source>the checkpoint ({}) holds no tensors</source><translation>checkpoint（{}）中没有张量</translation></message>
    <message><source>{} ranks: use 1 to 65,536</source><translation>{} 个 rank：请使用 1 到 65,536</translation></message>
    <message><source>cannot make {}: {}</source><translation>无法创建 {}：{}</translation></message>
    <message><source>torch has no type for the elements of &apos;{}&apos; ({})</source><translation>torch 没有适合 &apos;{}&apos; 的元素的类型（{}）</translation></message>
    <message><source>what was written of &apos;{}&apos; is not what was read: the disk of {} is not to be trusted, nothing was changed</source><translation>写入的 &apos;{}&apos; 与读取的不同：{} 所在的磁盘不可信，未作任何更改</translation></message>
    <message><source>{} holds other weights ({}), which readers would take for these: name another folder, or remove them</source><translation>{} 中有其他权重（{}），读取方会误认为是这些权重：请指定其他文件夹，或将其移除</translation></message>
    <message><source>{} has no file &apos;latest&apos;</source><translation>{} 没有文件 &apos;latest&apos;</translation></message>
    <message><source>{} names {}, which is missing</source><translation>{} 指向 {}，但它不存在</translation></message>
    <message><source>{}: {}, the newest whole step, is read</source><translation>{}：读取最新的完整步骤 {}</translation></message>
    <message><source>{} has no *{}, which names the parameters: the checkpoint was not saved to its end</source><translation>{} 中没有列出参数的 *{}：checkpoint 未保存完成</translation></message>
    <message><source>{} is not a file of a whole ZeRO checkpoint: {}</source><translation>{} 不是完整 ZeRO checkpoint 的文件：{}</translation></message>
    <message><source>it names no stage of ZeRO from 1 to 3</source><translation>其中没有指明 1 到 3 的 ZeRO 阶段</translation></message>
    <message><source>it is of stage {}, and the first file of stage {}</source><translation>其阶段为 {}，而第一个文件的阶段为 {}</translation></message>
    <message><source>it has no list &apos;{}&apos;</source><translation>其中没有列表 &apos;{}&apos;</translation></message>
    <message><source>it has {} groups of parameters, and the first file {}</source><translation>它有 {} 个参数组，而第一个文件有 {} 个</translation></message>
    <message><source>an item of &apos;{}&apos; is not a flat float32 tensor</source><translation>&apos;{}&apos; 的某一项不是 float32 的展平张量</translation></message>
    <message><source>{} was saved by {} ranks, and there are {} files *{}: copy those of one checkpoint</source><translation>{0} 由 {1} 个 rank 保存，而文件 *{3} 有 {2} 个：请复制同一检查点的文件</translation></message>
    <message><source>{} was saved by {} ranks, and there are {} files *{}: copy {}</source><translation>{0} 由 {1} 个 rank 保存，而文件 *{3} 有 {2} 个：请复制 {4}</translation></message>
    <message><source>it has no list &apos;param_shapes&apos;</source><translation>其中没有列表 &apos;param_shapes&apos;</translation></message>
    <message><source>an item of &apos;param_shapes&apos; is not a dictionary</source><translation>&apos;param_shapes&apos; 的某一项不是字典</translation></message>
    <message><source>an entry of &apos;param_shapes&apos; is not a name with a shape</source><translation>&apos;param_shapes&apos; 的某个条目不是带形状的名称</translation></message>
    <message><source>it has {} groups of parameters, and the optimizer&apos;s files have {}</source><translation>它有 {} 个参数组，而优化器的文件有 {} 个</translation></message>
    <message><source>the buffer &apos;{}&apos; is not contiguous</source><translation>缓冲区 &apos;{}&apos; 不是连续存放的</translation></message>
    <message><source>it has no part of the frozen parameter &apos;{}&apos;</source><translation>其中没有冻结参数 &apos;{}&apos; 的部分</translation></message>
    <message><source>the parts of the frozen parameter &apos;{}&apos; are {} elements short</source><translation>冻结参数 &apos;{}&apos; 的各部分还缺 {} 个元素</translation></message>
    <message><source>it is {} elements short of &apos;{}&apos;</source><translation>其中 &apos;{1}&apos; 还缺 {0} 个元素</translation></message>
    <message><source>{} is {} elements short of &apos;{}&apos;: a file of the checkpoint is from another one</source><translation>{0} 中 &apos;{2}&apos; 还缺 {1} 个元素：某个 checkpoint 文件来自另一个 checkpoint</translation></message>
    <message><source>{} holds {} elements where its parameters need {}: files of different checkpoints are mixed</source><translation>{} 有 {} 个元素，而其参数需要 {} 个：混入了不同 checkpoint 的文件</translation></message>
    <message><source>weights of this model are offloaded, so it can be used but not trained: train it on devices that hold it</source><translation>此模型的权重已被卸载，因此可以使用但不能训练：请在能容纳它的设备上训练</translation></message>
    <message><source>{} has no value yet: load a checkpoint into the model before it is dispatched</source><translation>{} 还没有值：请先将 checkpoint 加载到模型，再进行分发</translation></message>
    <message><source>the device map puts {} on disk: name a folder for it (offload_dir)</source><translation>设备映射将 {} 放在磁盘上：请为其指定文件夹（offload_dir）</translation></message>
    <message><source>{}: &apos;{}&apos; has another shape than the model&apos;s</source><translation>{}：&apos;{}&apos; 的形状与模型中的不同</translation></message>
    <message><source>layerwise casting stores and computes floating-point numbers, not {}</source><translation>逐层类型转换以浮点数存储和计算，而不是 {}</translation></message>
    <message><source>skip_modules_pattern: &apos;{}&apos; is not a regular expression</source><translation>skip_modules_pattern：&apos;{}&apos; 不是正则表达式</translation></message>
    <message><source>{} has no value yet: load a checkpoint before its weights are cast</source><translation>{} 还没有值：请先加载 checkpoint，再转换其权重</translation></message>
    <message><source>{} has the shape [{}] instead of [{}]</source><translation>{} 的形状为 [{}]，而不是 [{}]</translation></message>
    <message><source>{} has an adapter and not the model that it was trained beside: name that model, and give this folder as its adapter (--adapter)</source><translation>{} 只有适配器，没有训练它时所用的模型：请指定该模型，并将此文件夹作为其适配器 (--adapter)</translation></message>
    <message><source>{} has no tensor {}: {}</source><translation>{} 没有张量 {}：{}</translation></message>
    <message><source>it is of another model</source><translation>它属于另一个模型</translation></message>
    <message><source>{} has a head of its own, {}, which differs from {}, and the model has one tensor for both: set tie_word_embeddings to false</source><translation>{} 有自己的输出层 {}，与 {} 不同，而模型中两者共用一个张量：请将 tie_word_embeddings 设为 false</translation></message>
    <message><source>{} has tensors that the model lacks: {}</source><translation>{} 中有模型所没有的张量：{}</translation></message>
    <message><source>{} has tensors that the model does not use: {}</source><translation>{} 中有模型未使用的张量：{}</translation></message>
    <message><source>{} has {} in elements of type {}: give weights as F32, F16 or BF16</source><translation>{} 中 {} 的元素类型为 {}：请以 F32、F16 或 BF16 提供权重</translation></message>
    <message><source>{} is to be read from disk, but {} is {}, whose tensors cannot be read in place: name a folder for them (offload_folder)</source><translation>{} 要从磁盘读取，而 {} 是 {}，其张量没有原样存放在任何文件中：请为其指定文件夹（offload_folder）</translation></message>
    <message><source>max_memory: &apos;{}&apos; is not a device: give numbers of accelerators, cpu or disk</source><translation>max_memory：&apos;{}&apos; 不是设备：请使用加速器编号、cpu 或 disk</translation></message>
    <message><source>max_memory: {}={} is not a size: give one such as 200MB or 10GiB</source><translation>max_memory：{}={} 不是有效的大小：请填写例如 200MB 或 10GiB</translation></message>
    <message><source>how much memory the devices &apos;{}&apos; have is not known: give it with max_memory, such as 0=10GiB</source><translation>无法得知设备 &apos;{}&apos; 的内存：请用 max_memory 指定，例如 0=10GiB</translation></message>
    <message><source>device_map &apos;{}&apos; is neither auto, balanced, balanced_low_0, sequential, a device (cpu, disk, 0, cuda:1), nor a JSON file with a map</source><translation>device_map &apos;{}&apos; 不是 auto、balanced、balanced_low_0、sequential、设备（cpu、disk、0、cuda:1），也不是含有映射的 JSON 文件</translation></message>
    <message><source>max_memory has no effect on a device map that is given: it limits auto, balanced, balanced_low_0 and sequential</source><translation>max_memory 对已给定的设备映射不起作用：它限制 auto、balanced、balanced_low_0 和 sequential</translation></message>
    <message><source>the device map names &apos;{}&apos;, which the model does not have</source><translation>设备映射中有 &apos;{}&apos;，而模型中没有</translation></message>
    <message><source>the device map names the device &apos;{}&apos;: devices are numbers of accelerators, also as cuda:0, cpu and disk</source><translation>设备映射中有设备 &apos;{}&apos;：设备为加速器编号（也可写作 cuda:0）、cpu 和 disk</translation></message>
    <message><source>split_points names {} blocks, and {} ranks need {}: name the block that each rank but the first begins with</source><translation>split_points 列出了 {} 个块，而 {} 个 rank 需要 {} 个：请指定除第一个以外每个 rank 起始的块</translation></message>
    <message><source>split_points: &apos;{}&apos; is not a block of the model: they are {}</source><translation>split_points：&apos;{}&apos; 不是模型的块：模型的块为 {}</translation></message>
    <message><source>split_points: &apos;{}&apos; would leave a stage without blocks: name blocks after the first one, in their order</source><translation>split_points：&apos;{}&apos; 会使某个 stage 没有块：请按顺序指定第一个块之后的块</translation></message>
    <message><source>pipeline inference needs a batch on rank 0: a dictionary of tensors, input_ids and what else the model takes</source><translation>流水线推理需要 rank 0 上的 batch：由张量组成的字典，包括 input_ids 及模型所需的其他输入</translation></message>
    <message><source>pipeline inference computes logits and no loss: leave &apos;labels&apos; out of the batch</source><translation>流水线推理计算 logits，不计算损失：请从 batch 中去掉 &apos;labels&apos;</translation></message>
    <message><source>&apos;{}&apos; of the batch is not a tensor with rows</source><translation>batch 中的 &apos;{}&apos; 不是带有行的张量</translation></message>
    <message><source>&apos;{}&apos; of the batch has {} rows, and &apos;{}&apos; has {}: all tensors need as many</source><translation>batch 中的 &apos;{}&apos; 有 {} 行，而 &apos;{}&apos; 有 {} 行：所有张量的行数须相同</translation></message>
    <message><source>the batch of pipeline inference has no rows</source><translation>流水线推理的 batch 没有行</translation></message>
    <message><source>{} is not cut into pipeline stages: use one rank</source><translation>{} 不能切分为流水线 stage：请使用一个 rank</translation></message>
    <message><source>num_chunks is {}: give 1 or more, or 0 for as many as ranks</source><translation>num_chunks 为 {}：请使用 1 或更大的值，或使用 0 表示与 rank 数相同</translation></message>
    <message><source>{} has modules_to_save {}, and the model has none of them: it is of another model or task</source><translation>{} 的 modules_to_save 为 {}，而模型中没有这些模块：它属于其他模型或任务</translation></message>
    <message><source>{} brings {}, which is tied to the output layer here: merge it with PEFT</source><translation>{} 带有 {}，此处它与输出层共享：请用 PEFT 合并</translation></message>
    <message><source>{} brings {}, and so does another adapter: use one of them</source><translation>{} 带有 {}，另一个适配器也带有：请只使用其中一个</translation></message>
    <message><source>{} brings whole tensors ({}), which cannot count {} times: leave the weight out</source><translation>{} 带有完整的张量（{}），不能按 {} 倍计算：请去掉权重</translation></message>
    <message><source>{} has init_lora_weights &apos;{}&apos;: it cannot be taken out of a model, because what it changed follows from the original weights alone</source><translation>{} 的 init_lora_weights 为“{}”：不能从模型中取出，因为它所改变的部分只能由原始权重得出</translation></message>
    <message><source>{} has init_lora_weights &apos;{}&apos;, a decomposition with random numbers that cannot be repeated: the exact one is subtracted from the weights instead, and the result may differ from the trained model; convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source><translation>{} 的 init_lora_weights 为“{}”，即使用随机数、无法重现的分解：改为从权重中减去精确分解，结果可能与训练的模型不同；请用 PEFT 转换适配器（save_pretrained 的 path_initial_model_for_weight_conversion）</translation></message>
    <message><source>{} is an adapter of {}, which is not a folder with a config.json here: give the model&apos;s folder, and this one as --adapter</source><translation>{} 是适配器，其模型 {} 不是此处含有 config.json 的文件夹：请指定模型的文件夹，并将此文件夹作为 --adapter</translation></message>
    <message><source>a model that it does not name</source><translation>它未指明的模型</translation></message>
    <message><source>the prompt is empty: give at least one token</source><translation>要续写的文本须至少有一个 token：请输入提示词</translation></message>
    <message><source>the prompt has {} tokens, and the model sees {}: shorten it</source><translation>提示词有 {} 个 token，而模型可见 {} 个：请缩短提示词</translation></message>
    <message><source>{}: {} is {} and must be {}</source><translation>{}：{} 为 {}，但必须是{}</translation></message>
    <message><source>a token id, a list of token ids, or null</source><translation>一个词元编号、编号的列表或 null</translation></message>
    <message><source>beams that are stopped by no estimate are not computed here</source><translation>此处不计算没有提前估计终止的束搜索</translation></message>
    <message><source>beams draw nothing here</source><translation>此处的束搜索不做采样</translation></message>
    <message><source>this version does not compute it</source><translation>此版本不计算它</translation></message>
    <message><source>{}: {} is {}, which is not used: {}</source><translation>{}：{} 为 {}，不会使用：{}</translation></message>
    <message><source>{} names no eos_token_id, so texts end at no token, as in transformers; the {} of config.json is not used: write it there, too</source><translation>{} 没有 eos_token_id，因此与 transformers 一样，文本不会在任何词元处结束；config.json 中的 {} 不会使用：请也写在那里</translation></message>
    <message><source>{} has no tokenizer.json, and the model has {} tokens, which are not bytes: name its tokenizer (--tokenizer)</source><translation>{} 没有 tokenizer.json，而模型有 {} 个 token，不是字节：请指定其分词器（--tokenizer）</translation></message>
    <message><source>{} is a model for {}, which does not continue texts</source><translation>{} 是用于 {} 的模型，不能续写文本</translation></message>
    <message><source>the tokenizer has the token {}, the model {} tokens: it is of another model</source><translation>分词器有 token {}，而模型有 {} 个 token：它属于其他模型</translation></message>
    <message><source>the prompt has {} tokens, and max_length of the model&apos;s generation_config.json is {}, prompt included: give max_new_tokens</source><translation>提示有 {} 个词元，而模型的 generation_config.json 中 max_length 为 {}（含提示）：请指定 max_new_tokens</translation></message>
    <message><source>dtype &apos;{}&apos; is not supported for computation: use float32, bfloat16, float16 or auto</source><translation>dtype &apos;{}&apos; 不能用于计算：可用 float32、bfloat16、float16 或 auto</translation></message>
    <message><source>storage_dtype &apos;{}&apos; is not supported for weights: use float8_e4m3fn, float8_e5m2, bfloat16 or float16</source><translation>storage_dtype &apos;{}&apos; 不能用于存储权重：可用 float8_e4m3fn、float8_e5m2、bfloat16 或 float16</translation></message>
    <message><source>several processes hold a stage of the model each, in the processor&apos;s memory: leave the device map, limits of memory and the storage dtype out, or use one process</source><translation>多个进程各在处理器的内存中保存模型的一个阶段：请去掉设备映射、内存限制和存储 dtype，或使用一个进程</translation></message>
    <message><source>{} changes weights of the model itself, which only one process does: merge it first (trainyard merge-adapter)</source><translation>{} 会改变模型本身的权重，只有单个进程可以这样做：请先合并（trainyard merge-adapter）</translation></message>
    <message><source>{} changes weights of the model itself, which only a model in the processor&apos;s memory takes: merge it first (trainyard merge-adapter)</source><translation>{} 会改变模型本身的权重，只适用于位于主内存中的模型：请先合并（trainyard merge-adapter）</translation></message>
    <message><source>{}: there is no such folder</source><translation>{}：没有此文件夹</translation></message>
    <message><source>dtype &apos;{}&apos; cannot be written: give float32, bfloat16, float16 or auto</source><translation>无法写入 dtype“{}”：请给出 float32、bfloat16、float16 或 auto</translation></message>
    <message><source>{} has values after the merge that {} cannot hold, or that are not finite: check the adapter, or give --dtype float32</source><translation>{} 合并后有 {} 无法表示或非有限的值：请检查适配器，或给出 --dtype float32</translation></message>
    <message><source>{} has no tensor {}</source><translation>{} 中没有张量 {}</translation></message>
    <message><source>{} has no adapter, and none was named: there is nothing to merge</source><translation>{} 没有适配器，也未指定适配器：没有可合并的内容</translation></message>
    <message><source>must be at least 1</source><translation>必须至少为 1</translation></message>
    <message><source>must be above 0: do_sample no takes the most likely token</source><translation>必须大于 0：do_sample no 取概率最高的 token</translation></message>
    <message><source>must be at least 0</source><translation>必须至少为 0</translation></message>
    <message><source>must be above 0 and at most 1</source><translation>必须大于 0 且不超过 1</translation></message>
    <message><source>must be from 1 to 64</source><translation>必须在 1 到 64 之间</translation></message>
    <message><source>beams take the most likely texts and draw nothing: set do_sample to no, or num_beams to 1</source><translation>束搜索取概率最高的文本，不进行采样：请将 do_sample 设为 no，或将 num_beams 设为 1</translation></message>
    <message><source>--num_processes {} contradicts --hosts, which names {} ranks: leave it out</source><translation>--num_processes {} 与 --hosts 矛盾，后者给出了 {} 个 rank：请省略它</translation></message>
    <message><source>--num_processes {} cannot be shared evenly by {} hosts: name the ranks of each, as in {}:2</source><translation>--num_processes {} 无法在 {} 台主机间平均分配：请为每台指定 rank 数，如 {}:2</translation></message>
    <message><source>{} machines, but --hosts names {}: leave --num_machines out</source><translation>给出 {} 台机器，但 --hosts 列出 {} 台：请去掉 --num_machines</translation></message>
    <message><source>{} processes, but --hosts names {}: leave --num_processes out</source><translation>给出 {} 个进程，但 --hosts 列出 {} 个：请去掉 --num_processes</translation></message>
    <message><source>--hosts gives no number of processes for {} of its machines: {} each is assumed, as this machine has devices; write host:number to say another</source><translation>--hosts 未给出其中 {} 台机器的进程数：按本机的设备数，每台假定为 {}；要指定其他数量请写 host:数量</translation></message>
    <message><source>num_processes is {}, but {} in the environment say that an MPI launcher started this command {} times, and each starts at least one process: give --num_processes {} or more; if no MPI launcher did, give --num_machines 1, or unset {}</source><translation>num_processes 为 {}，但环境中的 {} 表明 MPI 启动器将此命令启动了 {} 次，每次至少启动一个进程：请指定 --num_processes {} 或更大；如果不是由 MPI 启动器启动，请指定 --num_machines 1，或用 unset 删除 {}</translation></message>
    <message><source>{} in the environment say that an MPI launcher started this command {} times: this is machine {} of {}; if none did, give --num_machines 1, or unset {}</source><translation>环境中的 {0} 表明 MPI 启动器将此命令启动了 {1} 次：这是 {3} 台机器中的机器 {2}；如果并非如此，请指定 --num_machines 1，或用 unset 删除 {4}</translation></message>
    <message><source>main_process_ip is missing: {} in the environment say that an MPI launcher started this command {} times, which meet at the address of the first one: give its address; if no MPI launcher did, give --num_machines 1, or unset {}</source><translation>缺少 main_process_ip：环境中的 {} 表明 MPI 启动器将此命令启动了 {} 次，它们在第一个的地址会合：请指定其地址；如果不是由 MPI 启动器启动，请指定 --num_machines 1，或用 unset 删除 {}</translation></message>
    <message><source>SLURM&apos;s variables are not used: {}</source><translation>未使用 SLURM 的变量：{}</translation></message>
    <message><source>SLURM&apos;s variables are not used: this machine, {}, is not one of the machines of job {} (SLURM_JOB_NODELIST={}); start the command there with srun, or unset SLURM_JOB_ID if the job is over</source><translation>不使用 SLURM 的变量：本机 {} 不属于作业 {} 的机器（SLURM_JOB_NODELIST={}）；请在那里用 srun 启动此命令，如果作业已结束，请用 unset 删除 SLURM_JOB_ID</translation></message>
    <message><source>srun starts this command more than once on this machine (SLURM_LOCALID={}), and the first one starts all ranks of the machine: give srun --ntasks-per-node=1, or --num_machines if each is a launch of its own</source><translation>srun 在本机多次启动此命令（SLURM_LOCALID={}），而第一个会启动本机的所有 rank：请使用 srun --ntasks-per-node=1；如果每个都是独立的启动，请指定 --num_machines</translation></message>
    <message><source>this step of SLURM job {} has {} of its {} machines (SLURM_STEP_NODELIST={}): the others take no part; start the command with srun --nodes={} to use all</source><translation>SLURM 作业 {0} 的此步骤使用其 {2} 台机器中的 {1} 台（SLURM_STEP_NODELIST={3}）：其余机器不参与；要使用全部机器，请用 srun --nodes={4} 启动此命令</translation></message>
    <message><source>SLURM allocation of {} machines found (SLURM_JOB_ID={}): this is machine {} of them, the main one is {}; start the same command on each of them with srun, or give --num_machines 1</source><translation>发现含 {} 台机器的 SLURM 分配（SLURM_JOB_ID={}）：这是其中的机器 {}，主机器是 {}；请用 srun 在每台机器上启动同一命令，或指定 --num_machines 1</translation></message>
    <message><source>{} does not say how many processes there are: give --num_processes</source><translation>{} 未说明进程数：请给出 --num_processes</translation></message>
    <message><source>the settings file</source><translation>设置文件</translation></message>
    <message><source>launch needs a program: trainyard launch [flags] RECIPE.yaml, or SCRIPT.py with its arguments</source><translation>launch 需要一个程序：trainyard launch [选项] RECIPE.yaml，或 SCRIPT.py 及其参数</translation></message>
    <message><source>&apos;{}&apos; comes after the recipe: a recipe takes no arguments</source><translation>&apos;{}&apos; 写在配方之后：配方不接受参数</translation></message>
    <message><source>unknown flag &apos;{}&apos; of launch</source><translation>launch 的未知选项 &apos;{}&apos;</translation></message>
    <message><source>{}: did you mean &apos;{}&apos;?</source><translation>{}：是否想写 &apos;{}&apos;？</translation></message>
    <message><source>{}: trainyard launch --help lists them</source><translation>{}：trainyard launch --help 会列出它们</translation></message>
    <message><source>a value must follow</source><translation>其后必须有值</translation></message>
    <message><source>&apos;{}&apos; is neither true nor false: give the flag alone, or =false</source><translation>&apos;{}&apos; 既不是 true 也不是 false：请只写该选项，或写 =false</translation></message>
    <message><source>&apos;{}&apos; is not a number</source><translation>&apos;{}&apos; 不是数字</translation></message>
    <message><source>&apos;{}&apos; is not a whole number</source><translation>&apos;{}&apos; 不是整数</translation></message>
    <message><source>name a file</source><translation>请指定文件</translation></message>
    <message><source>--hosts names the hosts already: give one of the two</source><translation>--hosts 已列出主机：请只给出其一</translation></message>
    <message><source>&apos;{}&apos; is not a machine: write name or name:ranks, e.g. gpu-a:4,gpu-b:2</source><translation>&apos;{}&apos; 不是机器：请写 名称 或 名称:rank数，例如 gpu-a:4,gpu-b:2</translation></message>
    <message><source>&apos;{}&apos; is given more than once: give its ranks once</source><translation>&apos;{}&apos; 出现两次：请只给出一次 rank 数</translation></message>
    <message><source>&apos;{}&apos; is not a host: write `name slots=4`</source><translation>&apos;{}&apos; 不是主机：请写 `name slots=4`</translation></message>
    <message><source>{} is already in line {}: give its slots once</source><translation>{} 已在第 {} 行出现：请只给出一次 slots</translation></message>
    <message><source>no host is named: write one `name slots=4` a line</source><translation>未列出主机：请每行写一个 `name slots=4`</translation></message>
    <message><source>Trainyard&apos;s own ZeRO does not need it</source><translation>Trainyard 自己的 ZeRO 不需要它</translation></message>
    <message><source>Trainyard&apos;s library does not read it</source><translation>Trainyard 的库不读取它</translation></message>
    <message><source>the engine&apos;s kernels are compiled already: there is no Python to compile</source><translation>引擎的内核已经编译：没有需要编译的 Python</translation></message>
    <message><source>{} {} of {} has no effect: {}</source><translation>{2} 的 {0} {1} 不起作用：{3}</translation></message>
    <message><source>{} {} has no effect: {}</source><translation>{} {} 不起作用：{}</translation></message>
    <message><source>neither mpirun nor mpiexec was found: install Open MPI, Intel MPI or MVAPICH, or leave the host file out</source><translation>找不到 mpirun 和 mpiexec：请安装 Open MPI、Intel MPI 或 MVAPICH，或去掉主机文件</translation></message>
    <message><source>a mesh needs FSDP version 2: give --use_fsdp --fsdp_version 2, too</source><translation>网格需要 FSDP 版本 2：请同时给出 --use_fsdp --fsdp_version 2</translation></message>
    <message><source>a mesh needs FSDP version 2 or DeepSpeed: set fsdp_version to 2 in fsdp_config, or remove parallelism_config</source><translation>网格需要 FSDP 版本 2 或 DeepSpeed：请将 fsdp_config 中的 fsdp_version 设为 2，或删除 parallelism_config</translation></message>
    <message><source>the {} devices of this machine cannot compute in bf16: give fp16 or no</source><translation>本机的 {} 设备不能以 bf16 计算：请给出 fp16 或 no</translation></message>
    <message><source>fp8 needs Transformer Engine, MS-AMP or torchao, and none of them is installed: install one, or give bf16</source><translation>fp8 需要 Transformer Engine、MS-AMP 或 torchao，均未安装：请安装其一，或给出 bf16</translation></message>
    <message><source>which of the {} machines this is must be known: give --machine_rank, 0 to {}</source><translation>必须知道本机是 {} 台机器中的哪一台：请给出 --machine_rank，0 到 {}</translation></message>
    <message><source>DeepSpeed starts as many processes on each machine, but {} cannot be shared out over {}: give {}, or a deepspeed_inclusion_filter</source><translation>DeepSpeed 在每台机器上启动同样多的进程，但 {} 个无法均分到 {} 台：请给出 {}，或 deepspeed_inclusion_filter</translation></message>
    <message><source>only the first process reads the weights (fsdp_cpu_ram_efficient_loading), so the others must receive them: set fsdp_sync_module_states to true, or fsdp_cpu_ram_efficient_loading to false</source><translation>只有第一个进程读取权重（fsdp_cpu_ram_efficient_loading），其他进程必须接收它们：请将 fsdp_sync_module_states 设为 true，或将 fsdp_cpu_ram_efficient_loading 设为 false</translation></message>
    <message><source>{} exclude each other: give one of them</source><translation>{} 互斥：请只给出其一</translation></message>
    <message><source>--use_megatron_lm and --{} exclude each other: give one of them</source><translation>--use_megatron_lm 与 --{} 互斥：请只给出其一</translation></message>
    <message><source>--module and --no_python exclude each other: a module needs Python</source><translation>--module 与 --no_python 互斥：模块需要 Python</translation></message>
    <message><source>--multi_gpu needs 2 processes at least: give more, or leave --multi_gpu out</source><translation>--multi_gpu 至少需要 2 个进程：请给出更多，或去掉 --multi_gpu</translation></message>
    <message><source>a mesh needs FSDP 2, and SageMaker has none: leave the flag out</source><translation>网格需要 FSDP 2，而 SageMaker 没有：请去掉该选项</translation></message>
    <message><source>the settings file is for Amazon SageMaker, this flag starts on this machine: give another file with --config_file, or leave the flag out</source><translation>设置文件用于 Amazon SageMaker，而该选项在本机启动：请用 --config_file 给出其他文件，或去掉该选项</translation></message>
    <message><source>&apos;{}&apos; is one device, but training on several was asked for: name at least two, or all</source><translation>&apos;{}&apos; 是一个设备，但要求在多个设备上训练：请至少列出两个，或 all</translation></message>
    <message><source>parallelism_config of the file is not used, since a flag chooses the way of training: add --use_parallelism_config to use it</source><translation>未使用文件中的 parallelism_config，因为有选项决定了训练方式：要使用它请加上 --use_parallelism_config</translation></message>
    <message><source>DeepSpeed is not installed for {}: install the Python package deepspeed, or train with FSDP</source><translation>{} 未安装 DeepSpeed：请安装 Python 包 deepspeed，或用 FSDP 训练</translation></message>
    <message><source>the usual one, as main_process_port is not set</source><translation>默认端口，因为未设置 main_process_port</translation></message>
    <message><source>main_process_port of {}</source><translation>{} 的 main_process_port</translation></message>
    <message><source>port {} ({}) is in use by another program or launch: port {} is taken instead; give another one with --main_process_port, or 0 for a free one</source><translation>端口 {}（{}）正被另一个程序或另一次启动使用：改用端口 {}；请用 --main_process_port 指定其他端口，或用 0 选取空闲端口</translation></message>
    <message><source>port {} of this machine is in use by another program: give another one with --main_process_port, the same on all machines</source><translation>本机的端口 {} 已被其他程序占用：请用 --main_process_port 给出其他端口，所有机器须相同</translation></message>
    <message><source>the driver of these RTX 40 cards cannot exchange data directly: NCCL_P2P_DISABLE and NCCL_IB_DISABLE are set; a driver from 550.40.07 on can</source><translation>这些 RTX 40 显卡的驱动不能直接交换数据：已设置 NCCL_P2P_DISABLE 和 NCCL_IB_DISABLE；550.40.07 及以上的驱动可以</translation></message>
    <message><source>{} processes cannot be shared out over {} machines as asked: each needs one at least, and --hosts must add up</source><translation>{} 个进程无法按要求分配到 {} 台机器：每台至少需要一个，且 --hosts 之和必须相符</translation></message>
    <message><source>--hosts has no effect: DeepSpeed&apos;s host file says how many ranks each machine has</source><translation>--hosts 无效：DeepSpeed 的主机文件说明每台机器的 rank 数</translation></message>
    <message><source>DeepSpeed starts other machines by a host file with lines `name slots=N`: name it with --deepspeed_hostfile, or use --deepspeed_multinode_launcher standard</source><translation>DeepSpeed 通过含 `name slots=N` 行的主机文件启动其他机器：请用 --deepspeed_hostfile 指定，或使用 --deepspeed_multinode_launcher standard</translation></message>
    <message><source>nossh needs DeepSpeed 0.14.5, {} is installed: update it, or take pdsh</source><translation>nossh 需要 DeepSpeed 0.14.5，已安装 {}：请更新，或用 pdsh</translation></message>
    <message><source>NCCL_P2P_DISABLE and NCCL_IB_DISABLE are set, as the driver of these RTX 40 cards cannot exchange data directly</source><translation>已设置 NCCL_P2P_DISABLE 和 NCCL_IB_DISABLE，因为这些 RTX 40 显卡的驱动不能直接交换数据</translation></message>
    <message><source>{} does not reach the other machines: DeepSpeed&apos;s .deepspeed_env cannot hold blanks, `;`, `&lt;` or `&gt;`</source><translation>{} 无法传到其他机器：DeepSpeed 的 .deepspeed_env 不能含空格、`;`、`&lt;` 或 `&gt;`</translation></message>
    <message><source>&apos;{}&apos; has no name: SageMaker takes the script&apos;s arguments as --name value</source><translation>&apos;{}&apos; 没有名称：SageMaker 以 --name value 的形式接受脚本参数</translation></message>
    <message><source>{} has no value: SageMaker cannot pass switches, give every argument one</source><translation>{} 没有值：SageMaker 不能传递开关，请给每个参数一个值</translation></message>
    <message><source>--{} is given more than once: give it once</source><translation>--{} 出现两次：请只给出一次</translation></message>
    <message><source>{} cannot be read: name a file of two columns between tabs, with a header</source><translation>无法读取 {}：请指定以制表符分隔两列并带表头的文件</translation></message>
    <message><source>{}:{} has one column: put a tab between the two</source><translation>{}:{} 只有一列：请在两者之间加制表符</translation></message>
    <message><source>Amazon&apos;s access is missing: set profile in the settings file, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment</source><translation>缺少 Amazon 的访问凭据：请在设置文件中设置 profile，或在环境中设置 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY</translation></message>
    <message><source>SageMaker starts Python scripts, and &apos;{}&apos; is not one: name a file that ends in .py, without --module and --no_python</source><translation>SageMaker 启动 Python 脚本，&apos;{}&apos; 不是：请指定以 .py 结尾的文件，不带 --module 和 --no_python</translation></message>
    <message><source>on TPU a function of a Python script is started: leave --no_python out</source><translation>在 TPU 上启动的是 Python 脚本的函数：请去掉 --no_python</translation></message>
    <message><source>{} has no function {}: name the one that trains with --main_training_function</source><translation>{} 没有函数 {}：请用 --main_training_function 指明训练函数</translation></message>
    <message><source>the pod&apos;s name is not known: set tpu_name in the settings file</source><translation>不知道 pod 的名称：请在设置文件中设置 tpu_name</translation></message>
    <message><source>Assumed, since neither a flag nor a file says them: {}</source><translation>选项和文件均未给出，采用假定值：{}</translation></message>
    <message><source>{} is out of range: give {} or more</source><translation>{} 超出范围：请给出 {} 或更大</translation></message>
    <message><source>--cpu has no effect: the settings file is for Amazon SageMaker</source><translation>--cpu 无效：设置文件用于 Amazon SageMaker</translation></message>
    <message><source>--{} has no effect: the settings file is for Amazon SageMaker</source><translation>--{} 无效：设置文件用于 Amazon SageMaker</translation></message>
    <message><source>{} devices were found: training on {} of them; --num_processes 1 trains on one</source><translation>找到 {} 个设备：在其中 {} 个上训练；--num_processes 1 只用一个</translation></message>
    <message><source>num_processes is {}: {} processes are started on the devices, although the type is NO; give --num_processes 1 for one</source><translation>num_processes 为 {}：尽管类型为 NO，仍在设备上启动 {} 个进程；只要一个请给出 --num_processes 1</translation></message>
    <message><source>{}: {} is not used; the processes share the CPU</source><translation>{}：不使用 {}；各进程共用 CPU</translation></message>
    <message><source>{} processes share {} device: give --num_processes {}, or more of them in --gpu_ids</source><translation>{} 个进程共用 {} 个设备：请给出 --num_processes {}，或在 --gpu_ids 中列出更多设备</translation></message>
    <message><source>{} processes share {} devices: give --num_processes {}, or more of them in --gpu_ids</source><translation>{} 个进程共用 {} 个设备：请给出 --num_processes {}，或在 --gpu_ids 中列出更多设备</translation></message>
    <message><source>no accelerator was found on this machine: {} are started all the same; --cpu trains without one</source><translation>本机未找到加速器：仍启动 {}；--cpu 表示不用加速器训练</translation></message>
    <message><source>1 process</source><translation>1 个进程</translation></message>
    <message><source>{} processes</source><translation>{} 个进程</translation></message>
    <message><source>the environment has {}={}, which is not a whole number</source><translation>环境中有 {}={}，它不是整数</translation></message>
    <message><source>&apos;{}&apos; is not a list of hosts as SLURM writes it: {}</source><translation>&apos;{}&apos; 不是 SLURM 格式的主机列表：{}</translation></message>
    <message><source>a number is missing in the brackets</source><translation>括号中缺少数字</translation></message>
    <message><source>a range runs backwards or is too long</source><translation>范围逆序或过长</translation></message>
    <message><source>too many hosts</source><translation>主机过多</translation></message>
    <message><source>a bracket is not closed</source><translation>括号未闭合</translation></message>
    <message><source>{}={} is not a number</source><translation>{}={} 不是数字</translation></message>
    <message><source>a host&apos;s name is missing or has characters that no name has</source><translation>缺少主机名，或含有名称中不允许的字符</translation></message>
    <message><source>it is empty</source><translation>为空</translation></message>
    <message><source>SLURM_STEP_NODELIST={} and SLURM_JOB_NODELIST={} contradict: they are of different jobs</source><translation>SLURM_STEP_NODELIST={} 与 SLURM_JOB_NODELIST={} 矛盾：它们属于不同的作业</translation></message>
    <message><source>SLURM_NODEID={} is not one of the {} machines of {}</source><translation>SLURM_NODEID={} 不在 {2} 的 {1} 台机器之中</translation></message>
    <message><source>the launcher of this machine was killed: its ranks end with it</source><translation>本机的启动器已被终止：其 rank 随之结束</translation></message>
    <message><source>no head of a run was met at {}:{} for {}: {}: start the machine with --machine_rank 0, or check the address and port</source><translation>在 {}:{} 等待 {} 仍未找到运行的主控端：{}：请启动 --machine_rank 0 的机器，或检查地址和端口</translation></message>
    <message><source>no answer</source><translation>没有应答</translation></message>
    <message><source>the connection was ended: {}</source><translation>连接已终止：{}</translation></message>
    <message><source>no contact with the head of the run for {}</source><translation>已有 {} 未与运行的主控端联系</translation></message>
    <message><source>the head of the run at {} refuses this machine: {}</source><translation>{} 上的运行主控端拒绝本机：{}</translation></message>
    <message><source>it does not keep to the order of the handshake</source><translation>对方未遵守握手的顺序</translation></message>
    <message><source>the peer at {} does not have the run&apos;s secret: set the same TRAINYARD_RUN_SECRET (or --rdzv_conf key=) on all machines</source><translation>在 {} 监听的程序不知道此运行的密钥：请在所有机器上设置相同的 TRAINYARD_RUN_SECRET（或 --rdzv_conf key=）</translation></message>
    <message><source>the head of the run at {}:{} is lost: {}: this machine&apos;s ranks are ended</source><translation>与 {}:{} 的运行主控端失去联系：{}：结束本机的 rank</translation></message>
    <message><source>the head of the run at {}:{} is gone: nobody listens there any more</source><translation>{}:{} 的运行主控端已不在：那里不再有监听</translation></message>
    <message><source>the agent of {} was asked to end by signal {} ({})</source><translation>{} 的代理收到信号 {}（{}），要求结束</translation></message>
    <message><source>{}: the run is asked to stop; a second signal ends this machine&apos;s ranks at once</source><translation>{}：已要求运行停止；再次发送信号将立即结束本机的 rank</translation></message>
    <message><source>ended by signal {} ({})</source><translation>被信号 {}（{}）结束</translation></message>
    <message><source>{} was turned away: {} connections are waiting already</source><translation>已拒绝 {}：已有 {} 个连接在等待</translation></message>
    <message><source>a connection from {} was closed: {}</source><translation>已关闭来自 {} 的连接：{}</translation></message>
    <message><source>a connection from {} was closed: it did not prove that it belongs to this run</source><translation>已关闭来自 {} 的连接：它未能证明属于此运行</translation></message>
    <message><source>{} (protocol {})</source><translation>{}（协议 {}）</translation></message>
    <message><source>the head of the run is Trainyard {}, this machine has {} (protocol {}): install the same version on both</source><translation>运行的主控端是 Trainyard {}，本机为 {}（协议 {}）：请在两者上安装相同版本</translation></message>
    <message><source>{} was turned away: it has Trainyard {}, this is {}: install the same version on both</source><translation>已拒绝 {}：它是 Trainyard {}，此处为 {}：请在两者上安装相同版本</translation></message>
    <message><source>the head of the run is Trainyard {}, which requires TLS: install the same version on both</source><translation>运行的主控端是 Trainyard {}，要求使用 TLS：请在两者上安装相同版本</translation></message>
    <message><source>{} was turned away: its Trainyard does not use TLS, this is {}: install the same version on both</source><translation>已拒绝 {}：它的 Trainyard 不使用 TLS，此处为 {}：请在两者上安装相同版本</translation></message>
    <message><source>at {}:{} another run is waited for than &apos;{}&apos;: check address, port and --rdzv_id</source><translation>{}:{} 等待的运行不是 &apos;{}&apos;：请检查地址、端口和 --rdzv_id</translation></message>
    <message><source>{} was turned away: it wants to join &apos;{}&apos;, which is not this run</source><translation>已拒绝 {}：它要加入 &apos;{}&apos;，不是此运行</translation></message>
    <message><source>this machine was given another secret than the head of the run: set the same TRAINYARD_RUN_SECRET (or --rdzv_conf key=) on all machines</source><translation>本机的密钥与运行的主控端不同：请在所有机器上设置相同的 TRAINYARD_RUN_SECRET（或 --rdzv_conf key=）</translation></message>
    <message><source>{} was turned away: it does not know the run&apos;s secret</source><translation>已拒绝 {}：它不知道此运行的密钥</translation></message>
    <message><source>it does not say what it brings</source><translation>对方未说明其资源</translation></message>
    <message><source>it sent a message that is not a JSON object</source><translation>对方发送的消息不是 JSON 对象</translation></message>
    <message><source>it sent a message that is refused: {}</source><translation>对方发送的消息被拒绝：{}</translation></message>
    <message><source>it sent output of no rank</source><translation>对方发送了不属于任何 rank 的输出</translation></message>
    <message><source>trainyard {} reads an order as JSON from its standard input, which this is not: it is started by `trainyard launch`, not by hand</source><translation>trainyard {} 从标准输入读取 JSON 指令，而输入不是：它由 `trainyard launch` 启动，而非手动启动</translation></message>
    <message><source>is missing</source><translation>缺失</translation></message>
    <message><source>must be a text</source><translation>必须是文本</translation></message>
    <message><source>the order is of Trainyard {}, this machine has {}: install the same version on all machines</source><translation>指令来自 Trainyard {}，本机为 {}：请在所有机器上安装相同版本</translation></message>
    <message><source>order of trainyard supervise</source><translation>trainyard supervise 的指令</translation></message>
    <message><source>must be at least two heartbeats (heartbeat_s) long</source><translation>必须至少为两个心跳（heartbeat_s）的长度</translation></message>
    <message><source>it orders something before it has let this machine in</source><translation>对方在接纳本机之前就发出要求</translation></message>
    <message><source>its run is not the one that was joined before</source><translation>它的运行不是先前加入的那个</translation></message>
    <message><source>the head of the run at {} trains a recipe, this machine was told to start {}: give all machines the same</source><translation>{} 上的运行主控端训练的是配方，而本机要启动 {}：请给所有机器相同的内容</translation></message>
    <message><source>run.yaml of the head</source><translation>主控端的 run.yaml</translation></message>
    <message><source>{} cannot keep what its ranks write: {}</source><translation>{} 无法保存其 rank 写出的内容：{}</translation></message>
    <message><source>{} is back in the run {} at {} with {}</source><translation>{0} 重新加入 {2} 上的运行 {1}，{3}</translation></message>
    <message><source>{} joined the run {} at {} with {}</source><translation>{0} 加入 {2} 上的运行 {1}，{3}</translation></message>
    <message><source>ranks of an earlier generation are still ending on {}</source><translation>{} 上早先一代的 rank 仍在结束</translation></message>
    <message><source>{} cannot start its ranks: {}</source><translation>{} 无法启动其 rank：{}</translation></message>
    <message><source>{} of curves are only on {}: the link is slower than they were written</source><translation>有 {} 的曲线只在 {} 上：链路比写入速度慢</translation></message>
    <message><source>it sent a frame of {} bytes, which none of Trainyard&apos;s is</source><translation>对方发送了 {} 字节的帧，Trainyard 没有这样的帧</translation></message>
    <message><source>it sent a frame of kind {}, which nobody expects here</source><translation>对方发送了类型为 {} 的帧，此处不应出现</translation></message>
    <message><source>it takes nothing any more</source><translation>对方不再接收</translation></message>
    <message><source>it closed the connection</source><translation>对方关闭了连接</translation></message>
    <message><source>it closed the connection before the TLS handshake was complete</source><translation>对方在 TLS 握手完成之前关闭了连接</translation></message>
    <message><source>this machine&apos;s OpenSSL refuses TLS 1.3 with a pre-shared key: runs on several machines need it</source><translation>本机的 OpenSSL 不支持带预共享密钥的 TLS 1.3：多台机器上的运行需要它</translation></message>
    <message><source>its TLS handshake is longer than {} bytes</source><translation>对方的 TLS 握手超过 {} 字节</translation></message>
    <message><source>no reason is known</source><translation>原因未知</translation></message>
    <message><source>TLS failed: {}</source><translation>TLS 失败：{}</translation></message>
    <message><source>cannot start the supervisor: {}</source><translation>无法启动监督进程：{}</translation></message>
    <message><source>the supervisor ended before it started a rank: there may be too many processes or too little memory</source><translation>监督进程在启动 rank 之前就结束了：可能进程过多或内存不足</translation></message>
    <message><source>finished after {}</source><translation>在 {} 后完成</translation></message>
    <message><source>stopped after {}</source><translation>在 {} 后停止</translation></message>
    <message><source>step {} of {}</source><translation>第 {} 步，共 {} 步</translation></message>
    <message><source>stopped at {} because {}; the newest good checkpoint is checkpoint_{}</source><translation>停止于{}，原因：{}；最新的有效 checkpoint 为 checkpoint_{}</translation></message>
    <message><source>stopped at {} because {}; there is no good checkpoint</source><translation>停止于{}，原因：{}；没有有效的 checkpoint</translation></message>
    <message><source>stopped at {} after a checkpoint</source><translation>保存 checkpoint 后停止于{}</translation></message>
    <message><source>stopped at {}, an earlier checkpoint is kept</source><translation>停止于{}，保留了早先的 checkpoint</translation></message>
    <message><source>stopped at {}, no checkpoint</source><translation>停止于{}，没有 checkpoint</translation></message>
    <message><source>killed at {}, an earlier checkpoint is kept</source><translation>终止于{}，保留了早先的 checkpoint</translation></message>
    <message><source>killed at {}, no checkpoint</source><translation>终止于{}，没有 checkpoint</translation></message>
    <message><source>finished {} steps in {}</source><translation>在 {1} 内完成 {0} 步</translation></message>
    <message><source>finished at once: the checkpoint that it resumed from has all {} steps</source><translation>立即完成：所恢复的 checkpoint 已有全部 {} 步</translation></message>
    <message><source>loss {:.4f}</source><translation>损失 {}</translation></message>
    <message><source>validation loss {:.4f}</source><translation>验证损失 {}</translation></message>
    <message><source>signal {}</source><translation>信号 {}</translation></message>
    <message><source>signal {} (SIG{})</source><translation>信号 {}（SIG{}）</translation></message>
    <message><source>at step {} ({})</source><translation>在第 {} 步（{}）</translation></message>
    <message><source>at step {}</source><translation>在第 {} 步</translation></message>
    <message><source>before the first step</source><translation>在第一步之前</translation></message>
    <message><source>rank {} on {} failed {}: {}</source><translation>{1} 上的 rank {0} {2}失败：{3}</translation></message>
    <message><source>rank {} on {} exited with code {} {}</source><translation>{1} 上的 rank {0} {3}以代码 {2} 退出</translation></message>
    <message><source>rank {} on {} failed: {}</source><translation>{1} 上的 rank {0} 失败：{2}</translation></message>
    <message><source>rank {} on {} exited with code {}</source><translation>{1} 上的 rank {0} 以代码 {2} 退出</translation></message>
    <message><source>{} ranks cannot be started: give 1 to {}</source><translation>无法启动 {} 个 rank：请给出 1 到 {}</translation></message>
    <message><source>this process is rank {} of {} already: ranks cannot be started from within one</source><translation>此进程已是 {1} 个 rank 中的 rank {0}：不能从 rank 内启动 rank</translation></message>
    <message><source>ranks cannot be forked from this process, which has {} threads (a process group is there already, or something was computed): start them first</source><translation>无法从此进程派生 rank，它有 {} 个线程（已有进程组，或已进行计算）：请先启动 rank</translation></message>
    <message><source>an exception that does not derive from std::exception</source><translation>不是标准库异常的对象</translation></message>
    <message><source>was killed by {}</source><translation>被{}终止</translation></message>
    <message><source>ended the process with exit code {}</source><translation>以退出代码 {} 结束了进程</translation></message>
    <message><source>has not ended within {} s</source><translation>在 {} 秒内未结束</translation></message>
    <message><source>rank {} cannot be started: no pipe: {}</source><translation>无法启动 rank {}：没有管道：{}</translation></message>
    <message><source>rank {} cannot be started: {}</source><translation>无法启动 rank {}：{}</translation></message>
    <message><source>rank {} waits in {}</source><translation>rank {} 在 {} 中等待</translation></message>
    <message><source>ranks {} and {} wait in {}</source><translation>rank {} 和 {} 在 {} 中等待</translation></message>
    <message><source>start-up at step {}</source><translation>第 {} 步的启动阶段</translation></message>
    <message><source>{} at step {}</source><translation>第 {1} 步的 {0}</translation></message>
    <message><source>{}, in {}</source><translation>{}，位于 {}</translation></message>
    <message><source>{}, after {}</source><translation>{}，在 {} 之后</translation></message>
    <message><source>rank {} is in {}</source><translation>rank {} 处于 {}</translation></message>
    <message><source>rank {} on {} is in {}</source><translation>{1} 上的 rank {0} 处于 {2}</translation></message>
    <message><source>rank {} on {} is in {} and {}</source><translation>{1} 上的 rank {0} 处于 {2}，且{3}</translation></message>
    <message><source>{}: these are different collectives, the ranks do not call them in the same order</source><translation>{}：这些是不同的集合操作，各 rank 的调用顺序不一致</translation></message>
    <message><source>rank {} holds up the others: it takes {} for a step, the others {}</source><translation>rank {} 拖慢了其他 rank：它每步需 {}，其他为 {}</translation></message>
    <message><source>{} has left before the ranks were started</source><translation>{} 在 rank 启动前离开</translation></message>
    <message><source>machine 0 is {}, where the run&apos;s head is: give this machine another --machine_rank, 1 to {}</source><translation>机器 0 是运行主控端所在的 {}：请给本机另一个 --machine_rank，1 到 {}</translation></message>
    <message><source>machine {} does not exist in a run on {} machines: give this machine a --machine_rank of 1 to {}</source><translation>在 {1} 台机器的运行中没有机器 {0}：请给本机 1 到 {2} 的 --machine_rank</translation></message>
    <message><source>machine {} is {} ({}) already: give this machine another --machine_rank</source><translation>机器 {} 已是 {}（{}）：请给本机另一个 --machine_rank</translation></message>
    <message><source>all {} machines of the run are there: start it with more --num_machines</source><translation>运行的 {} 台机器都已就位：请以更大的 --num_machines 启动</translation></message>
    <message><source>{} ({}) was turned away: {}</source><translation>已拒绝 {}（{}）：{}</translation></message>
    <message><source>its earlier connection is not known to be lost yet</source><translation>尚不知道其先前的连接已断开</translation></message>
    <message><source>{} ({}) is back as machine {} with {}</source><translation>{}（{}）作为机器 {} 返回，{}</translation></message>
    <message><source>{} ({}) joined as machine {} with {}</source><translation>{}（{}）作为机器 {} 加入，{}</translation></message>
    <message><source>{}: it waits for the next generation</source><translation>{}：等待下一代</translation></message>
    <message><source>machine {}</source><translation>机器 {}</translation></message>
    <message><source>{} of {} machines</source><translation>{1} 台机器中的 {0} 台</translation></message>
    <message><source>the run is over: {}</source><translation>运行已结束：{}</translation></message>
    <message><source>error while loading shared libraries: </source><translation>加载共享库时出错： </translation></message>
    <message><source>its program could not be loaded: {}</source><translation>无法加载其程序：{}</translation></message>
    <message><source>{}; its address space is limited to {} (ulimit -v): raise the limit</source><translation>{}；其地址空间限制为 {}（ulimit -v）：请提高限制</translation></message>
    <message><source>the kernel of {} is {}: ranks may hang on kernels before 5.5, upgrade it</source><translation>{} 的内核为 {}：5.5 之前的内核上 rank 可能挂起，请升级</translation></message>
    <message><source>{} still has ranks of an earlier generation</source><translation>{} 仍有早先一代的 rank</translation></message>
    <message><source>used no CPU for {:.0f} s</source><translation>已有 {} 秒未使用 CPU</translation></message>
    <message><source>the memory limit of its control group is {}</source><translation>其控制组的内存限制为 {}</translation></message>
    <message><source>the memory limit was reached</source><translation>已达到内存限制</translation></message>
    <message><source>{} is of a copy of a run on another machine and is not executed on this one: read it, and launch a copy of it outside of that folder</source><translation>{} 属于另一台机器上某次运行的副本，不在本机执行：请先阅读，再在该文件夹之外启动它的副本</translation></message>
    <message><source>&apos;{}&apos; needs the library that brings this device to LibTorch: name it with --device_library or in {}, or take cpu or cuda</source><translation>&apos;{}&apos; 需要为 LibTorch 提供该设备的库：请用 --device_library 或在 {} 中指定，或用 cpu 或 cuda</translation></message>
    <message><source>{} ranks are too many for the {} cores of {}: give at most {}</source><translation>对 {2} 的 {1} 个核心来说 {0} 个 rank 过多：请至多给出 {3}</translation></message>
    <message><source>{} ranks cannot train: give 1 or more</source><translation>{} 个 rank 无法训练：请给出 1 或更多</translation></message>
    <message><source>{} gets {} ranks: give 1 or more</source><translation>{} 分到 {} 个 rank：请给出 1 或更多</translation></message>
    <message><source>{} is not a valid number of threads: give 1 to 1024, or 0 for cores / ranks</source><translation>{} 不是线程数：请给出 1 到 1024，或 0 表示 核心数 / rank 数</translation></message>
    <message><source>{} is not a valid number of restarts: give 0 or more</source><translation>{} 不是重启次数：请给出 0 或更大</translation></message>
    <message><source>{} is not from 0 to {}, the number of machines</source><translation>{} 不在 0 到机器数 {} 之间</translation></message>
    <message><source>{} cannot be run: {}: build trainyard-worker, or name it in TRAINYARD_WORKER</source><translation>无法运行 {}：{}：请构建 trainyard-worker，或在 TRAINYARD_WORKER 中指定</translation></message>
    <message><source>{} is not a folder to start the program in</source><translation>{} 不是可启动程序的文件夹</translation></message>
    <message><source>{} cannot be run: {}</source><translation>无法运行 {}：{}</translation></message>
    <message><source>the program &apos;{}&apos; was not found: check its name, or give its path</source><translation>找不到程序 &apos;{}&apos;：请检查名称，或给出其路径</translation></message>
    <message><source>the run cannot be kept in {}: {} is not a folder: choose another place with --run_dir or TRAINYARD_RUNS</source><translation>运行无法保存在 {}：{} 不是文件夹：请用 --run_dir 或 TRAINYARD_RUNS 选择其他位置</translation></message>
    <message><source>the run cannot be kept in {}: {} cannot be written: {}: choose another place with --run_dir or TRAINYARD_RUNS</source><translation>运行无法保存在 {}：{} 不可写：{}：请用 --run_dir 或 TRAINYARD_RUNS 选择其他位置</translation></message>
    <message><source>the run cannot be kept in {}: {} takes no new folders: {}: choose another place with --run_dir or TRAINYARD_RUNS</source><translation>运行无法保存在 {}：{} 不能新建文件夹：{}：请用 --run_dir 或 TRAINYARD_RUNS 选择其他位置</translation></message>
    <message><source>pipeline stages work on the CPU alone in this version: set it to 1, or start with --cpu</source><translation>此版本中流水线阶段只能在 CPU 上工作：请设为 1，或用 --cpu 启动</translation></message>
    <message><source>this version offloads optimizer state to disk only for ranks on processors, and these train on {}: set it to none, or start with --cpu</source><translation>此版本中只有处理器上的 rank 才能将优化器状态放在磁盘上，而这些 rank 在 {} 上训练：请设为 none，或使用 --cpu 启动</translation></message>
    <message><source>this version offloads weights to disk only for ranks on processors, and these train on {}: leave it out, or start with --cpu</source><translation>此版本中只有处理器上的 rank 才能将权重放在磁盘上，而这些 rank 在 {} 上训练：请去掉，或使用 --cpu 启动</translation></message>
    <message><source>{} is there already and not empty: name another folder</source><translation>{} 已存在且非空：请指定其他文件夹</translation></message>
    <message><source>{} names {} ranks on {} machines: change launch.machines in it, or leave the flag out</source><translation>{0} 写明 {2} 台机器上的 {1} 个 rank：请更改其中的 launch.machines，或去掉该选项</translation></message>
    <message><source>contradicts --device {}: leave one of them out</source><translation>与 --device {} 矛盾：请去掉其一</translation></message>
    <message><source>is gone</source><translation>已不存在</translation></message>
    <message><source>is stopped (SIGSTOP)</source><translation>已被暂停（SIGSTOP）</translation></message>
    <message><source>is held by a debugger</source><translation>被调试器挂起</translation></message>
    <message><source>waits in the kernel</source><translation>在内核中等待</translation></message>
    <message><source>waits in the kernel ({})</source><translation>在内核中等待（{}）</translation></message>
    <message><source>the run is not in the queue: it has started</source><translation>运行不在队列中：它已开始</translation></message>
    <message><source>starts now, before its turn</source><translation>现在提前启动</translation></message>
    <message><source>a run in the queue takes stop, kill, note, move and start, not {}</source><translation>队列中的运行接受 stop、kill、note、move 和 start，不接受 {}</translation></message>
    <message><source>move needs values.place, a whole number from 1 on</source><translation>move 需要 values.place，从 1 起的整数</translation></message>
    <message><source>is number {} in the queue now</source><translation>现在排在队列第 {} 位</translation></message>
    <message><source>{} and {}</source><translation>{} 和 {}</translation></message>
    <message><source>{} {}: give 0 (nothing), 1 (stdout), 2 (stderr) or 3 (both), or for single ranks as in 0:1,1:3</source><translation>{} {}：请给出 0（无）、1（stdout）、2（stderr）或 3（两者），或对单个 rank 如 0:1,1:3</translation></message>
    <message><source>--local_ranks_filter {}: give the numbers of processes as in 0,2</source><translation>--local_ranks_filter {}：请给出进程编号，例如 0,2</translation></message>
    <message><source>--log_dir {} cannot be written: {}: name another folder</source><translation>--log_dir {} 不可写：{}：请指定其他文件夹</translation></message>
    <message><source>cannot start a rank: no pipe: {}</source><translation>无法启动 rank：没有管道：{}</translation></message>
    <message><source>cannot start rank {}: {} is not a folder</source><translation>无法启动 rank {}：{} 不是文件夹</translation></message>
    <message><source>cannot start rank {}: {}: {}</source><translation>无法启动 rank {}：{}：{}</translation></message>
    <message><source>cannot start rank {}: it has no command</source><translation>无法启动 rank {}：它没有命令</translation></message>
    <message><source>cannot start rank {}: no socket pair: {}</source><translation>无法启动 rank {}：没有套接字对：{}</translation></message>
    <message><source>cannot start rank {}: {}</source><translation>无法启动 rank {}：{}</translation></message>
    <message><source>rank {} on {} has been silent for {}</source><translation>{1} 上的 rank {0} 已有 {2} 没有响应</translation></message>
    <message><source>no progress for {}</source><translation>已有 {} 没有进展</translation></message>
    <message><source>it hangs, nothing has moved for {}: {}</source><translation>已挂起，{} 没有任何动静：{}</translation></message>
    <message><source>rank {} on {} may hang: it has written nothing for {} and {}</source><translation>{1} 上的 rank {0} 可能挂起：已有 {2} 没有输出，且{3}</translation></message>
    <message><source>refused</source><translation>被拒绝</translation></message>
    <message><source>no route</source><translation>没有路由</translation></message>
    <message><source>no address</source><translation>没有地址</translation></message>
    <message><source>another machine answers at this address</source><translation>该地址应答的是另一台机器</translation></message>
    <message><source>too many files are open</source><translation>打开的文件过多</translation></message>
    <message><source>it has no address</source><translation>它没有地址</translation></message>
    <message><source>no answer for {} s</source><translation>{} s 内没有响应</translation></message>
    <message><source>what a host said about the network</source><translation>主机关于网络的报告</translation></message>
    <message><source>the ranks are checked with data parallelism, whatever the settings train with</source><translation>无论设置采用何种训练方式，各 rank 都以数据并行方式检查</translation></message>
    <message><source>--num_processes: {} processes on {} machines leave one without any: give at least one for each</source><translation>--num_processes：{} 个进程分配到 {} 台机器会有一台没有进程：请为每台至少给出一个</translation></message>
    <message><source>it sent a part of no file</source><translation>对方发送了不属于任何文件的部分</translation></message>
    <message><source>it sent a file that is not an event file</source><translation>对方发送的文件不是事件文件</translation></message>
    <message><source>{} cannot start its ranks: there is no connection to its agent</source><translation>{} 无法启动其 rank：与其代理没有连接</translation></message>
    <message><source>the connection to {} was ended: {}</source><translation>与 {} 的连接已终止：{}</translation></message>
    <message><source>the connection to the agent of {} is gone: {}</source><translation>与 {} 的代理的连接已断开：{}</translation></message>
    <message><source>no contact with {} ({}) for {}</source><translation>已有 {2} 未与 {0}（{1}）联系</translation></message>
    <message><source>{} left: {}</source><translation>{} 已离开：{}</translation></message>
    <message><source>the link to {} ({}) is slow: a heartbeat takes {} there and back; training waits for it at every step</source><translation>与 {}（{}）的链路很慢：一次心跳往返需 {}；训练每一步都要等待它</translation></message>
    <message><source>&apos;{}&apos; is not a key=value pair: write join_timeout=600,last_call_timeout=30</source><translation>&apos;{}&apos; 不是 键=值：请写 join_timeout=600,last_call_timeout=30</translation></message>
    <message><source>&apos;{}&apos; is said twice: say it once</source><translation>&apos;{}&apos; 出现两次：请只给出一次</translation></message>
    <message><source>{}={} is not a number from {} to {}</source><translation>{}={} 不是 {} 到 {} 之间的数字</translation></message>
    <message><source>{} needs a server beside the run, which Trainyard does not: give static (with --machine_rank) or c10d (without)</source><translation>{} 需要运行之外的服务器，而 Trainyard 不需要：请给出 static（带 --machine_rank）或 c10d（不带）</translation></message>
    <message><source>&apos;{}&apos; is unknown{}</source><translation>&apos;{}&apos; 未知{}</translation></message>
    <message><source>is missing: give the address of the first machine, where the others find it</source><translation>缺失：请给出第一台机器的地址，供其他机器找到它</translation></message>
    <message><source>{} is not a valid port: give 1 to 65535</source><translation>{} 不是各机器可约定的端口：请给出 1 到 65535</translation></message>
    <message><source>is missing: give each machine its number, 0 to {}, or leave numbers to the order of arrival with --rdzv_backend c10d</source><translation>缺失：请给每台机器编号，0 到 {}，或用 --rdzv_backend c10d 按到达顺序编号</translation></message>
    <message><source>{} is not below the number of machines, {}</source><translation>{} 不小于机器数 {}</translation></message>
    <message><source>--rdzv_conf: {} means nothing here and is passed over</source><translation>--rdzv_conf：{} 在此没有意义，已忽略</translation></message>
    <message><source>the machines do not share a secret: any host that reaches {}:{} and knows the name &apos;{}&apos; can join; set the same {} on all machines</source><translation>各机器没有共同的密钥：任何能连到 {}:{} 且知道名称 &apos;{}&apos; 的人都能加入；请在所有机器上设置相同的 {}</translation></message>
    <message><source>{} is an address of the internet: what ranks send each other is not encrypted; use a private network, or hosts over SSH (--hosts)</source><translation>{} 是互联网地址：rank 之间的传输未加密；请使用专用网络，或通过 SSH 使用主机（--hosts）</translation></message>
    <message><source>unknown request &apos;{}&apos;{}</source><translation>未知的请求 &apos;{}&apos;{}</translation></message>
    <message><source>the run was asked to stop</source><translation>已要求运行停止</translation></message>
    <message><source>{} restarts are used up</source><translation>{} 次重启已用完</translation></message>
    <message><source>it would fail again</source><translation>它会再次失败</translation></message>
    <message><source>{} times in a row it failed before the first step</source><translation>连续 {} 次在第一步之前失败</translation></message>
    <message><source>the files in the run&apos;s folder {} were deleted while it ran</source><translation>运行期间其文件夹 {} 中的文件被删除</translation></message>
    <message><source>the run&apos;s folder {} belongs to another run now</source><translation>运行的文件夹 {} 现属于另一个运行</translation></message>
    <message><source>the run&apos;s folder {} was deleted while it ran</source><translation>运行期间其文件夹 {} 被删除</translation></message>
    <message><source>the run&apos;s folder {} was moved to {} while it ran</source><translation>运行期间其文件夹 {} 被移到 {}</translation></message>
    <message><source>{}: its ranks were ended, nothing more was written there</source><translation>{}：其 rank 已结束，那里不再写入</translation></message>
    <message><source>its ranks were asked to end</source><translation>已要求其 rank 结束</translation></message>
    <message><source>it was stopped at step {}, its checkpoint is in {}</source><translation>运行在第 {} 步停止，其 checkpoint 在 {}</translation></message>
    <message><source>it was stopped at step {} without a checkpoint</source><translation>运行在第 {} 步停止，没有 checkpoint</translation></message>
    <message><source>{}: {}; what was in the folder before is not there</source><translation>{}：{}；文件夹中先前的内容已不在</translation></message>
    <message><source>{} of the log of rank {} could not be written</source><translation>rank {1} 的日志有 {0} 无法写入</translation></message>
    <message><source>the kernel gives no random bytes: a run&apos;s secret cannot be made</source><translation>内核未提供随机字节：无法生成运行的密钥</translation></message>
    <message><source>the run&apos;s secret is empty: give at least a word</source><translation>运行的密钥为空：请至少给出一个词</translation></message>
    <message><source>the run&apos;s secret is longer than 1024 bytes: give a shorter one</source><translation>运行的密钥超过 1024 字节：请给出更短的</translation></message>
    <message><source>&apos;{}&apos; has blanks or characters that an option of sbatch cannot have</source><translation>&apos;{}&apos; 含有 sbatch 选项不允许的空格或字符</translation></message>
    <message><source>{} is not between {} and {}</source><translation>{} 不在 {} 到 {} 之间</translation></message>
    <message><source>&apos;{}&apos; is not an sbatch option: write --name=value</source><translation>&apos;{}&apos; 不是 sbatch 的选项：请写成 --name=value</translation></message>
    <message><source>{} rank</source><translation>{} 个 rank</translation></message>
    <message><source>{} cannot be reached without its agent: start the run on all its machines</source><translation>没有代理就无法访问 {}：请在运行的所有机器上启动它</translation></message>
    <message><source>cannot watch the ranks: no descriptor is free for signals</source><translation>无法监视 rank：没有可用于信号的描述符</translation></message>
    <message><source>queued on {}</source><translation>已在 {} 上排队</translation></message>
    <message><source>the launcher of this run was killed: its ranks end with it</source><translation>此运行的启动器已被终止：其 rank 随之结束</translation></message>
    <message><source>SIGUSR1 is handed on to the ranks</source><translation>SIGUSR1 转发给各 rank</translation></message>
    <message><source>kill asked: Ctrl-C was pressed again</source><translation>要求 kill：再次按下了 Ctrl-C</translation></message>
    <message><source>taken out of the queue before it started</source><translation>在启动前从队列中移除</translation></message>
    <message><source>failed</source><translation>失败</translation></message>
    <message><source>its turn has come</source><translation>轮到它了</translation></message>
    <message><source>waiting for machines</source><translation>等待机器</translation></message>
    <message><source>starting again</source><translation>正在重新启动</translation></message>
    <message><source>{} did not join within {}</source><translation>{}未在 {} 内加入</translation></message>
    <message><source>a machine</source><translation>一台机器</translation></message>
    <message><source>waiting for {}</source><translation>等待 {}</translation></message>
    <message><source>{}, up to {}</source><translation>{}，最多 {}</translation></message>
    <message><source>starting {}</source><translation>正在启动 {}</translation></message>
    <message><source>started {} on {}</source><translation>已在 {1} 上启动 {0}</translation></message>
    <message><source>started {} on {} ({}), {} thread each</source><translation>已在 {1}（{2}）上启动 {0}，每个 {3} 个线程</translation></message>
    <message><source>started {} on {} ({}), {} threads each</source><translation>已在 {1}（{2}）上启动 {0}，每个 {3} 个线程</translation></message>
    <message><source>a machine has come that the run can use: the ranks are sent SIGTERM and start again with it</source><translation>来了一台运行可用的机器：向各 rank 发送 SIGTERM，并与它一起重新启动</translation></message>
    <message><source>a machine has come that the run can use: the ranks save a checkpoint and start again with it</source><translation>来了一台运行可用的机器：各 rank 保存 checkpoint，并与它一起重新启动</translation></message>
    <message><source>all ranks start again, on more machines</source><translation>所有 rank 在更多机器上重新启动</translation></message>
    <message><source>all ranks start again from the newest checkpoint, on more machines</source><translation>所有 rank 从最新的 checkpoint 在更多机器上重新启动</translation></message>
    <message><source>the ranks are not started again: {}</source><translation>不再重新启动 rank：{}</translation></message>
    <message><source>all ranks start again</source><translation>所有 rank 重新启动</translation></message>
    <message><source>all ranks start again from the newest checkpoint</source><translation>所有 rank 从最新的 checkpoint 重新启动</translation></message>
    <message><source>all ranks start again from the beginning, there is no checkpoint</source><translation>所有 rank 从头重新启动，没有 checkpoint</translation></message>
    <message><source>restart {} of {}: {} in {}</source><translation>第 {0} 次重启（共 {1} 次），{3} 后进行：{2}</translation></message>
    <message><source>restart {} of {}: {}</source><translation>第 {} 次重启（共 {} 次）：{}</translation></message>
    <message><source>the ranks failed before it was done; they start again</source><translation>在完成之前 rank 失败；正在重新启动</translation></message>
    <message><source>curves of the program: {}</source><translation>程序的曲线：{}</translation></message>
    <message><source>curves of the program on {}: {}</source><translation>{} 上程序的曲线：{}</translation></message>
    <message><source>curves of {} are not written any more: {}</source><translation>不再写入 {} 的曲线：{}</translation></message>
    <message><source>rank {} on {} is heard again after {}</source><translation>{1} 上的 rank {0} 在 {2} 后恢复响应</translation></message>
    <message><source>stopping: {}</source><translation>正在停止：{}</translation></message>
    <message><source>rank {} on {} was killed, {}</source><translation>{1} 上的 rank {0} 被终止，{2}</translation></message>
    <message><source>{} was lost: {}</source><translation>与 {} 失去联系：{}</translation></message>
    <message><source>{} is taken away: {}</source><translation>{} 被移除：{}</translation></message>
    <message><source>a rank failed, ending the others</source><translation>有 rank 失败，正在结束其他 rank</translation></message>
    <message><source>the ranks did not end within {} after they were asked to and are killed</source><translation>rank 在被要求结束后 {} 内未结束，将被强制终止</translation></message>
    <message><source>{}: it is stopped</source><translation>{}：正在停止运行</translation></message>
    <message><source>{} asked</source><translation>请求 {}</translation></message>
    <message><source>{} asked from the {}</source><translation>来自 {1} 的 {0} 请求</translation></message>
    <message><source>a program of one&apos;s own takes stop, kill and note, not {}</source><translation>自己的程序接受 stop、kill 和 note，不接受 {}</translation></message>
    <message><source>no ranks run now</source><translation>当前没有 rank 在运行</translation></message>
    <message><source>rank 0 has ended</source><translation>rank 0 已结束</translation></message>
    <message><source>a note needs values.text</source><translation>备注需要 values.text</translation></message>
    <message><source>stopping: the ranks were sent {}</source><translation>正在停止：已向各 rank 发送 {}</translation></message>
    <message><source>stopping: rank 0 was asked to save a checkpoint at the next step</source><translation>正在停止：已要求 rank 0 在下一步保存 checkpoint</translation></message>
    <message><source>stopping after the step under way, without a checkpoint</source><translation>当前步完成后停止，不保存 checkpoint</translation></message>
    <message><source>stopping now</source><translation>正在停止</translation></message>
    <message><source>{} has no parameters, so there is nothing to train</source><translation>{} 没有参数，因此无可训练</translation></message>
    <message><source>{} has the parameter {} in {}: parameters must be float32, and training.mixed_precision makes products of 16 bits</source><translation>{} 的参数 {} 为 {}：参数须为 float32，由 training.mixed_precision 以 16 位计算乘积</translation></message>
    <message><source>{} gave no outputs</source><translation>{} 没有给出输出</translation></message>
    <message><source>model.script: the module in {} has no method forward</source><translation>model.script：{} 中的模块没有 forward 方法</translation></message>
    <message><source>model.script: {} was not written by torch.jit.save, or it is damaged ({}): write it with torch.jit.save(torch.jit.script(module), file)</source><translation>model.script：{} 不是 torch.jit.save 的文件，或已损坏（{}）：请用 torch.jit.save(torch.jit.script(module), file) 写出</translation></message>
    <message><source>{} wants the input &apos;{}&apos;, and a batch has {}: name the arguments of its forward like these</source><translation>{} 需要输入 &apos;{}&apos;，而 batch 中有 {}：请按这些名称命名其 forward 的参数</translation></message>
    <message><source>{} gives {}, and must give one tensor</source><translation>{} 给出 {}，而须给出一个张量</translation></message>
    <message><source>{} stopped: {}</source><translation>{} 已中止：{}</translation></message>
    <message><source>model.{}: {}</source><translation>model.{}：{}</translation></message>
    <message><source>model_type &apos;{}&apos; has no network in this version</source><translation>此版本没有 model_type &apos;{}&apos; 的网络</translation></message>
    <message><source>lora.target_modules: {} has its weight as [in, out], which PEFT does not adapt beside lora.target_parameters: name {}.weight there</source><translation>lora.target_modules：{} 的权重为 [in, out]，PEFT 不能在 lora.target_parameters 之外适配它：请在那里写 {}.weight</translation></message>
    <message><source>lora.target_modules: none of {} is the end of a module&apos;s name or matches one: there are {}</source><translation>lora.target_modules：{} 中没有一项是模块名称的结尾或与之匹配：现有 {}</translation></message>
    <message><source>lora.target_parameters: {} is not multiplied with as a matrix, and gets no adapter: leave it out</source><translation>lora.target_parameters：{} 不作为矩阵相乘，不能有适配器：请去掉</translation></message>
    <message><source>lora.target_parameters: none of {} is the end of a parameter&apos;s name, such as {}</source><translation>lora.target_parameters：{} 都不是参数名称的结尾，例如 {}</translation></message>
    <message><source>data set</source><translation>数据集</translation></message>
    <message><source>two plug-ins, {} and {}, have a {} named &apos;{}&apos;: name one of them in plugins, or rename it</source><translation>两个插件 {0} 和 {1} 都有名为 &apos;{3}&apos; 的 {2}：请在 plugins 中只指定其中一个，或将其改名</translation></message>
    <message><source>{} is a shared library and no plug-in, because it has no entry {}(): write TRAINYARD_PLUGIN(...) in one of its files</source><translation>{} 是共享库而非插件，因为没有入口 {}()：请在其某个源文件中写上 TRAINYARD_PLUGIN(...)</translation></message>
    <message><source>{} was built for version {} of the plug-in interface, and this Trainyard has version {}: build it again with this Trainyard&apos;s headers</source><translation>{} 针对插件接口版本 {} 构建，而此 Trainyard 为版本 {}：请用此 Trainyard 的头文件重新构建</translation></message>
    <message><source>{} was built against LibTorch {}.{}, and this Trainyard has {}.{}: build it again</source><translation>{} 针对 LibTorch {}.{} 构建，而此 Trainyard 使用 {}.{}：请重新构建</translation></message>
    <message><source>&apos;{}&apos; is a {} of a plug-in, and none is loaded: name its shared library in plugins</source><translation>&apos;{}&apos;（{}）来自插件，而没有加载任何插件：请在 plugins 中指定其共享库</translation></message>
    <message><source>{} has no {}, so none is named &apos;{}&apos;</source><translation>{} 中没有 {}，因此也没有名为 &apos;{}&apos; 的</translation></message>
    <message><source>{} has no {} named &apos;{}&apos;{}</source><translation>{0} 中没有名为 &apos;{2}&apos; 的 {1}{3}</translation></message>
    <message><source>the {} &apos;{}&apos; of the plug-in {}: {}</source><translation>插件 {2} 的 {0} &apos;{1}&apos;：{3}</translation></message>
    <message><source>plugins: {}</source><translation>plugins：{}</translation></message>
    <message><source>the loss &apos;{}&apos; gives values of shape [{}], and the labels have the shape [{}]: give a value for each sample, or for each label</source><translation>损失函数 &apos;{}&apos; 给出形状为 [{}] 的值，而标签的形状为 [{}]：请为每个样本或每个标签给出一个值</translation></message>
    <message><source>is {}, but {} is {}, and both are the same: keep one</source><translation>为 {}，而 {} 为 {}，两者是同一项：请只保留一个</translation></message>
    <message><source>must be a whole number from {:.0f} to {:.0f} or null</source><translation>必须是 {} 到 {} 的整数或 null</translation></message>
    <message><source>must be a whole number from {:.0f} to {:.0f}</source><translation>必须是 {} 到 {} 的整数</translation></message>
    <message><source>must be a number from {} to below {}</source><translation>必须是不小于 {} 且小于 {} 的数</translation></message>
    <message><source>must be a number from {} to {}</source><translation>必须是 {} 到 {} 的数</translation></message>
    <message><source>must be a table or a list</source><translation>必须是表或列表</translation></message>
    <message><source>{}: this version computes {} only, not {}</source><translation>{}：此版本只支持 {}，不支持 {}</translation></message>
    <message><source>{}: this version does not know the field, so it cannot tell what it changes ({} is not a field of {}): remove it if it does not affect training</source><translation>{}：此版本不认识该字段，因此无法判断其影响（{} 不是 {} 的字段）：如果它不影响训练，请移除</translation></message>
    <message><source>{} is not a model configuration: it is not a JSON object</source><translation>{} 不是模型配置：它不是 JSON 对象</translation></message>
    <message><source>{} is not a model configuration: it has no model_type</source><translation>{} 不是模型配置：其中没有 model_type</translation></message>
    <message><source>{} describes a model of type &apos;{}&apos;, and this version knows {}</source><translation>{} 描述的是 &apos;{}&apos; 类型的模型，而此版本支持 {}</translation></message>
    <message><source>{} ({}) must be a multiple of {} ({})</source><translation>{}（{}）必须是 {}（{}）的倍数</translation></message>
    <message><source>{} ({}) must be a multiple of num_key_value_heads ({})</source><translation>{}（{}）必须是 num_key_value_heads（{}）的倍数</translation></message>
    <message><source>{} experts cannot be chosen of {}</source><translation>无法从 {1} 个专家中选择 {0} 个</translation></message>
    <message><source>must list full_attention or sliding_attention for each of the {} blocks</source><translation>必须为全部 {} 个块逐一列出 full_attention 或 sliding_attention</translation></message>
    <message><source>image_size ({}) must be a multiple of patch_size ({})</source><translation>image_size（{}）必须是 patch_size（{}）的倍数</translation></message>
    <message><source>Number of classes; 1: a number.</source><translation>类别数；1：一个数值。</translation></message>
    <message><source>Names of the classes by their numbers.</source><translation>按编号给出的类别名称。</translation></message>
    <message><source>missing: give the name that a plug-in has for its model</source><translation>缺失：请填写插件为其模型所取的名称</translation></message>
    <message><source>model_type &apos;{}&apos; is not known to this version{}: use {}</source><translation>此版本不支持 model_type &apos;{}&apos;{}：请使用 {}</translation></message>
    <message><source>n_embd ({}) must be a multiple of n_head ({})</source><translation>n_embd（{}）必须是 n_head（{}）的倍数</translation></message>
    <message><source>blocks with cross-attention need the states of an encoder, which no data set of this version has: set it to false</source><translation>带交叉注意力的块需要编码器的状态，而此版本的任何数据集都没有：请设为 false</translation></message>
    <message><source>&apos;{}&apos; is not known{}: use {}, {} or {}</source><translation>&apos;{}&apos; 未知{}：请使用 {}、{} 或 {}</translation></message>
    <message><source>a single class is always right: give num_labels from 2 on</source><translation>只有一个类别时结果总是正确：num_labels 请使用 2 或更大的值</translation></message>
    <message><source>must name the classes 0 to {}, such as {{0: negative, 1: positive}}</source><translation>必须为类别 0 到 {} 命名，例如 {{0: negative, 1: positive}}</translation></message>
    <message><source>must list the channels of each stage, such as [64, 128]</source><translation>必须列出每个阶段的通道数，例如 [64, 128]</translation></message>
    <message><source>must list the layers of each stage, such as [2, 2]</source><translation>必须列出每个阶段的层数，例如 [2, 2]</translation></message>
    <message><source>has {} stages, and hidden_sizes has {}</source><translation>有 {} 个阶段，而 hidden_sizes 有 {} 个</translation></message>
    <message><source>&apos;{}&apos; is not known: use basic or bottleneck</source><translation>&apos;{}&apos; 未知：请使用 basic 或 bottleneck</translation></message>
    <message><source>{} is not a multiple of 4, which bottleneck layers need</source><translation>{} 不是 4 的倍数，而 bottleneck 需要 4 的倍数</translation></message>
    <message><source>must be a table such as {rope_type: default, rope_theta: 10000.0}</source><translation>必须是表，例如 {rope_type: default, rope_theta: 10000.0}</translation></message>
    <message><source>the rope_type &apos;su&apos; is not known: it is the former name of longrope, which only Phi-3 has under it: write longrope</source><translation>未知的 rope_type “su”：它是 longrope 的旧名，只有 Phi-3 使用：请写 longrope</translation></message>
    <message><source>the rope_type &apos;{}&apos; is not known{}</source><translation>rope_type &apos;{}&apos; 未知{}</translation></message>
    <message><source>the rope_type {} needs {}</source><translation>rope_type {} 需要 {}</translation></message>
    <message><source>the rope_type {} has no {}</source><translation>rope_type {} 没有 {}</translation></message>
    <message><source>{} must be a number above 0</source><translation>{} 必须是大于 0 的数</translation></message>
    <message><source>{} must be a whole number from 1 on</source><translation>{} 必须是不小于 1 的整数</translation></message>
    <message><source>{} of {} elements of a head would be turned, and they go in pairs: change the heads&apos; width or partial_rotary_factor</source><translation>每个头的 {1} 个元素中有 {0} 个将被旋转，而旋转须成对进行：请更改头的宽度或 partial_rotary_factor</translation></message>
    <message><source>{} has {} numbers, and a head turns {} pairs</source><translation>{} 有 {} 个数，而每个头旋转 {} 对</translation></message>
    <message><source>rope_parameters: {} is {}, which has no effect: transformers does not read it for the rope_type {} (it reads attention_factor)</source><translation>rope_parameters：{} 为 {}，不起作用：transformers 对 rope_type {} 不读取它（读取的是 attention_factor）</translation></message>
    <message><source>rope_parameters: {} is {}, which has no effect: transformers does not read it for the rope_type {}</source><translation>rope_parameters：{} 为 {}，不起作用：transformers 对 rope_type {} 不读取它</translation></message>
    <message><source>it has {} instead, so write it under the model&apos;s names with `trainyard checkpoints rename {} OUT --table T`, where the file T has the line &apos;{}* -&gt; *&apos;</source><translation>其中有的是 {}；请用 `trainyard checkpoints rename {} OUT --table T` 以模型的名称写出，文件 T 中包含一行 &apos;{}* -&gt; *&apos;</translation></message>
    <message><source>it has names such as {}, so it is of another model, or `trainyard checkpoints rename {} OUT --table T` must give its tensors the model&apos;s names</source><translation>其中的名称如 {}，因此属于另一个模型，或者需用 `trainyard checkpoints rename {} OUT --table T` 把张量改为模型的名称</translation></message>
    <message><source>&apos;{}&apos; is not known: give an activation function, or gated- and one, such as gated-gelu</source><translation>&apos;{}&apos; 未知：请填写激活函数，或在其前加 gated-，例如 gated-gelu</translation></message>
    <message><source>must be a multiple of 4</source><translation>必须是 4 的倍数</translation></message>
    <message><source>must be more than half of relative_attention_num_buckets ({})</source><translation>必须大于 relative_attention_num_buckets（{}）的一半</translation></message>
    <message><source>{} has trained parameters of its own, which this version does not have: take another one, e.g. gelu</source><translation>{} 有自己的可训练参数，此版本不支持：请选择其他激活函数，例如 gelu</translation></message>
    <message><source>&apos;{}&apos; is not known{}</source><translation>&apos;{}&apos; 未知{}</translation></message>
    <message><source>&apos;{}&apos; has fewer elements than its shape says</source><translation>&apos;{}&apos; 的元素少于其形状所示</translation></message>
    <message><source>{} is missing: {} looks there for tensors, copy it again</source><translation>缺少 {}：{} 指明其中有张量，请重新复制</translation></message>
    <message><source>{} names {} tensors that are not in their files, such as &apos;{}&apos; in {}</source><translation>{0} 列出的 {1} 个张量不在对应文件中，例如 {3} 中的 &apos;{2}&apos;</translation></message>
    <message><source>{} holds no checkpoint: expected weights (.safetensors, .bin, .gguf), .metadata, or the files of save_state</source><translation>{} 中没有 checkpoint：应有权重（.safetensors、.bin、.gguf）、.metadata 或 save_state 的文件</translation></message>
    <message><source>world size</source><translation>world size</translation></message>
    <message><source>saved at</source><translation>保存时间</translation></message>
    <message><source>not good</source><translation>不完好</translation></message>
    <message><source>{}, {} files</source><translation>{}，{} 个文件</translation></message>
    <message><source>PEFT adapter, {}</source><translation>PEFT 适配器，{}</translation></message>
    <message><source>{} has names of wrapped modules, whose part {} is left out on loading</source><translation>{} 含有被包装模块的名称，加载时会去掉其中的 {}</translation></message>
    <message><source>training state</source><translation>训练状态</translation></message>
    <message><source>an adapter is one file: leave the size of shards out</source><translation>适配器是单个文件：请省略分片大小</translation></message>
    <message><source>{} is not the configuration of an adapter</source><translation>{} 不是适配器的配置</translation></message>
    <message><source>{} is an adapter of a model that began with random weights, which nothing else could load it on: write the model with it (trainyard merge-adapter {} -o FOLDER)</source><translation>{} 是某个从随机权重开始的模型的适配器，其他程序无法将其加载到该模型上：请连同它一起写出模型（trainyard merge-adapter {} -o FOLDER）</translation></message>
    <message><source>name a checkpoint</source><translation>请指定 checkpoint</translation></message>
    <message><source>there are {} shares for {} checkpoints: give one for each</source><translation>{1} 个 checkpoint 却有 {0} 个比例：请为每个指定一个</translation></message>
    <message><source>a folder for ranks has a file for each of them: leave the size of shards out</source><translation>用于多个 rank 的文件夹中每个 rank 一个文件：请省略分片大小</translation></message>
    <message><source>{} has no config.json, without which transformers cannot load the weights: put it beside them, or use `convert`</source><translation>{} 没有 config.json，缺少它 transformers 无法加载权重：请将其放在权重旁，或使用 `convert`</translation></message>
    <message><source>the weights are written as {}, as the training was given them or its checkpoint.export_dtype says; choose fp32 to have them as they were trained</source><translation>权重按 {} 写入，与训练得到的权重或其 checkpoint.export_dtype 一致；如需训练时的精度，请选择 fp32</translation></message>
    <message><source>a pickled value</source><translation>一个 pickle 值</translation></message>
    <message><source>GGUF version {}</source><translation>GGUF 版本 {}</translation></message>
    <message><source>{} is {}, which no file of a checkpoint is</source><translation>{} {}，检查点的文件不会如此</translation></message>
    <message><source>{} is not JSON, or cut</source><translation>{} 不是 JSON，或被截断</translation></message>
    <message><source>distributed checkpoint, {} files</source><translation>分布式 checkpoint，{} 个文件</translation></message>
    <message><source>ZeRO, not whole</source><translation>ZeRO，不完整</translation></message>
    <message><source>rank {}.</source><translation>rank {}.</translation></message>
    <message><source>best {}</source><translation>最佳的 {} 个之一</translation></message>
    <message><source>last {}</source><translation>最后的 {} 个之一</translation></message>
    <message><source>every {} steps</source><translation>每 {} 步</translation></message>
    <message><source>the policy keeps it</source><translation>按规则保留</translation></message>
    <message><source>run {} was resumed from it</source><translation>运行 {} 由此继续</translation></message>
    <message><source>a policy counts checkpoints: use 1 or more</source><translation>规则按 checkpoint 个数计：请使用 1 或更大的值</translation></message>
    <message><source>a policy without a rule keeps nothing: say how many to keep, the best, the last or every so many steps, 1 or more</source><translation>空规则不会保留任何内容：请指定保留数量，即最佳的、最后的或每隔若干步的，1 或更大的值</translation></message>
    <message><source>no checkpoint has a metric, so none is the best: keep the last ones, or those every so many steps</source><translation>没有 checkpoint 带有指标，因此没有最佳者：请保留最后的，或每隔若干步的</translation></message>
    <message><source>being written</source><translation>正在写入</translation></message>
    <message><source>the newest</source><translation>最新</translation></message>
    <message><source>broken, and only removed when asked for</source><translation>损坏，仅在要求时移除</translation></message>
    <message><source>no rule keeps it</source><translation>没有规则保留它</translation></message>
    <message><source>{} stays: {}</source><translation>{} 保留：{}</translation></message>
    <message><source>{} stays: it was pinned meanwhile</source><translation>{} 保留：其间已被固定</translation></message>
    <message><source>{} stays: it has been replaced in the meantime</source><translation>{} 保留：其间已被重新写入</translation></message>
    <message><source>{} has changed: open the checkpoint again</source><translation>{} 已更改：请重新打开 checkpoint</translation></message>
    <message><source>{} has more than {} files to read at once</source><translation>{} 中需要同时读取的文件超过 {} 个</translation></message>
    <message><source>{} is cut</source><translation>{} 被截断</translation></message>
    <message><source>{} is damaged: its elements are of another type</source><translation>{} 已损坏：其元素属于其他类型</translation></message>
    <message><source>{} became shorter while it was read: it ends at byte {}</source><translation>{} 在读取时变短：它在字节 {} 处结束</translation></message>
    <message><source>&apos;{}&apos; is stored in blocks and is too large to be assembled in memory</source><translation>&apos;{}&apos; 分散在多个块中，过大而无法拼合</translation></message>
    <message><source>&apos;{}&apos; is packed ({}): its elements have no bytes of their own</source><translation>&apos;{}&apos; 为打包格式（{}）：其元素没有单独的字节</translation></message>
    <message><source>&apos;{}&apos; is of the type {}, of which elements cannot be read as numbers</source><translation>&apos;{}&apos; 的类型为 {}，其元素无法作为数值读取</translation></message>
    <message><source>distributed, {}</source><translation>分布式，{}</translation></message>
    <message><source>sharded, {}</source><translation>分片，{}</translation></message>
    <message><source>one file</source><translation>单个文件</translation></message>
    <message><source>{} does not exist: name a run, a folder of checkpoints, or a checkpoint</source><translation>{} 不存在：请指定运行、存放 checkpoint 的文件夹或 checkpoint</translation></message>
    <message><source>it is being written</source><translation>正在写入</translation></message>
    <message><source>{} is not the folder of a checkpoint</source><translation>{} 不是 checkpoint 的文件夹</translation></message>
    <message><source>cannot remove {}</source><translation>无法移除 {}</translation></message>
    <message><source>{} has no whole checkpoint</source><translation>{} 没有完好的 checkpoint</translation></message>
    <message><source>&apos;{}&apos; is packed ({}): its elements are not single numbers</source><translation>&apos;{}&apos; 为打包格式（{}）：其元素不是单独的数值</translation></message>
    <message><source>the names of these tensors take more than 4 GB</source><translation>这些张量的名称超过 4 GB</translation></message>
    <message><source>{} is damaged: its SHA-256 is not that of the file that was fetched, fetch it again</source><translation>{} 已损坏：其 SHA-256 与所下载的文件不符，请重新下载</translation></message>
    <message><source>{} (at byte {})</source><translation>{}（位于字节 {}）</translation></message>
    <message><source>header only</source><translation>仅文件头</translation></message>
    <message><source>{}: the trace cannot be written: {}</source><translation>{}：无法写入 trace：{}</translation></message>
    <message><source>{}: the trace cannot be written: the folder is not there, is not writable, or has no room</source><translation>{}：无法写入 trace：文件夹不存在、不可写或空间不足</translation></message>
    <message><source>{}: the file, which has the arguments of the slices, has been changed or removed since it was read: open it again</source><translation>{}：文件在读取后已更改或消失，而其切片的参数保存在其中：请重新打开</translation></message>
    <message><source>there is no slice in this range: select a longer one</source><translation>此范围内没有切片：请选择更长的范围</translation></message>
    <message><source>aligned by collectives: {} of {} clocks corrected, by at most {}</source><translation>按集合操作对齐：{1} 个时钟中校正了 {0} 个，最多 {2}</translation></message>
    <message><source>clocks agree within 5 ms, by the ends of collectives</source><translation>时钟偏差在 5 ms 以内，依据集合操作的结束时间</translation></message>
    <message><source>aligned by the clocks of the machines</source><translation>按各机器的时钟对齐</translation></message>
    <message><source>clocks not comparable: the traces name no wall time and share no collective</source><translation>时钟无法比较：各 trace 未给出时钟时间，也没有共同的集合操作</translation></message>
    <message><source>{}: there is no trace in it or in its folder traces; `trainyard runs profile` records one of a running run</source><translation>{}：其中及其 traces 文件夹中都没有 trace；`trainyard runs profile` 可记录正在进行的运行的 trace</translation></message>
    <message><source>there is no step {} in this trace: it marks no steps</source><translation>此 trace 中没有第 {} 步：它未标记步</translation></message>
    <message><source>there is no step {} in this trace: it has {} to {}</source><translation>此 trace 中没有第 {} 步：它有第 {} 到 {} 步</translation></message>
    <message><source>event of an unknown phase</source><translation>个阶段未知的事件</translation></message>
    <message><source>events of unknown phases</source><translation>个阶段未知的事件</translation></message>
    <message><source>event without a phase</source><translation>个无阶段的事件</translation></message>
    <message><source>events without a phase</source><translation>个无阶段的事件</translation></message>
    <message><source>entry that is not an event</source><translation>个不是事件的条目</translation></message>
    <message><source>entries that are not events</source><translation>个不是事件的条目</translation></message>
    <message><source>event without a time</source><translation>个无时间的事件</translation></message>
    <message><source>events without a time</source><translation>个无时间的事件</translation></message>
    <message><source>time beyond 64-bit nanoseconds</source><translation>个超出 64 位纳秒范围的时间</translation></message>
    <message><source>times beyond 64-bit nanoseconds</source><translation>个超出 64 位纳秒范围的时间</translation></message>
    <message><source>event that cannot be read</source><translation>个无法读取的事件</translation></message>
    <message><source>events that cannot be read</source><translation>个无法读取的事件</translation></message>
    <message><source>end without a begin</source><translation>个没有开始的结束</translation></message>
    <message><source>ends without a begin</source><translation>个没有开始的结束</translation></message>
    <message><source>arrow without its other end</source><translation>个缺少另一端的箭头</translation></message>
    <message><source>arrows without their other end</source><translation>个缺少另一端的箭头</translation></message>
    <message><source>event with characters that are not valid JSON, repaired</source><translation>个含有非 JSON 字符的事件，已修复</translation></message>
    <message><source>events with characters that are not valid JSON, repaired</source><translation>个含有非 JSON 字符的事件，已修复</translation></message>
    <message><source>number in quotes, read as a number</source><translation>个带引号的数字，已按数字读取</translation></message>
    <message><source>numbers in quotes, read as numbers</source><translation>个带引号的数字，已按数字读取</translation></message>
    <message><source>negative duration, shown as 0</source><translation>个负的时长，显示为 0</translation></message>
    <message><source>negative durations, shown as 0</source><translation>个负的时长，显示为 0</translation></message>
    <message><source>event without a duration, shown as 0</source><translation>个无时长的事件，显示为 0</translation></message>
    <message><source>events without a duration, shown as 0</source><translation>个无时长的事件，显示为 0</translation></message>
    <message><source>begin without an end, shown until the end of the trace</source><translation>个没有结束的开始，显示到 trace 结尾</translation></message>
    <message><source>begins without an end, shown until the end of the trace</source><translation>个没有结束的开始，显示到 trace 结尾</translation></message>
    <message><source>memory of the processor</source><translation>处理器内存</translation></message>
    <message><source>the file is empty: 0 bytes</source><translation>文件为空：0 字节</translation></message>
    <message><source>{}: {}; a trace is JSON with a list of traceEvents, as Chrome and Kineto write it</source><translation>{}：{}；trace 是含有 traceEvents 列表的 JSON，与 Chrome 和 Kineto 写出的相同</translation></message>
    <message><source>line {}, column {}, byte {}</source><translation>第 {} 行，第 {} 列，字节 {}</translation></message>
    <message><source>{}: {}; {} events before it are shown</source><translation>{}：{}；显示其前的 {} 个事件</translation></message>
    <message><source>reading was ended at byte {}; {} events before it are shown</source><translation>读取在字节 {} 处结束；显示其前的 {} 个事件</translation></message>
    <message><source>the text is UTF-16, not UTF-8</source><translation>文本为 UTF-16，而不是 UTF-8</translation></message>
    <message><source>the text does not begin as JSON</source><translation>文本开头不是 JSON</translation></message>
    <message><source>the file ends before the list of events</source><translation>文件在事件列表之前结束</translation></message>
    <message><source>it is damaged before the list of events, at {}</source><translation>在事件列表之前损坏，位于{}</translation></message>
    <message><source>the file ends here, the end of the trace is missing</source><translation>文件在此结束，缺少 trace 的结尾</translation></message>
    <message><source>the text behind the list of events is damaged</source><translation>事件列表之后的文本已损坏</translation></message>
    <message><source>traceEvents is not a list</source><translation>traceEvents 不是列表</translation></message>
    <message><source>the file ends inside &apos;{}&apos;</source><translation>文件在 &apos;{}&apos; 中间结束</translation></message>
    <message><source>the text is damaged here</source><translation>文本在此处损坏</translation></message>
    <message><source>it has no traceEvents</source><translation>其中没有 traceEvents</translation></message>
    <message><source>the file ends here, the end of the list of events is missing</source><translation>文件在此结束，缺少事件列表的结尾</translation></message>
    <message><source>the file ends inside an event</source><translation>文件在一个事件中间结束</translation></message>
    <message><source>an event is longer than {}, or one of its quotes is missing</source><translation>有一个事件长于 {}，或缺少一个引号</translation></message>
    <message><source>the list of events is damaged</source><translation>事件列表已损坏</translation></message>
    <message><source>{}: there is text after the end of the trace, which is not read</source><translation>{}：trace 结尾之后还有文本，不会读取</translation></message>
    <message><source>`{0}` has no unit: write {0}ms</source><translation>`{0}` 没有单位：请写成 {0}ms</translation></message>
    <message><source>`{}` has no duration: write dur&gt;5ms</source><translation>`{}` 没有时长：请写成 dur&gt;5ms</translation></message>
    <message><source>`{}` has no end: a second {} is missing</source><translation>`{}` 没有结尾：缺少第二个 {}</translation></message>
    <message><source>`!` stands alone: write !word for slices that do not fit</source><translation>`!` 单独出现：要查找不匹配的切片，请写成 !词</translation></message>
    <message><source>`{0}` names nothing: write {0}word</source><translation>`{0}` 后面没有内容：请写成 {0}词</translation></message>
    <message><source>`{}` is not a number: write {}3</source><translation>`{}` 不是数字：请写成 {}3</translation></message>
    <message><source>`{0}` compares with nothing: write {0}4096</source><translation>`{0}` 没有比较对象：请写成 {0}4096</translation></message>
    <message><source>`{}` compares with a text: write a number, or ~ for a part of a text</source><translation>`{}` 与文本比较：请写数字，或用 ~ 表示文本的一部分</translation></message>
    <message><source>`{}` compares a duration with ~: write dur&gt;5ms</source><translation>`{}` 用 ~ 比较时长：请写成 dur&gt;5ms</translation></message>
    <message><source>cannot create a temporary file in {}</source><translation>无法在 {} 中创建临时文件</translation></message>
    <message><source>cannot unpack into a temporary file: {}</source><translation>无法解压到临时文件：{}</translation></message>
    <message><source>the compressed data cannot be unpacked: no memory</source><translation>无法解压数据：内存不足</translation></message>
    <message><source>the compressed data is cut: the file ends before its end mark</source><translation>压缩数据不完整：文件在结束标记之前结束</translation></message>
    <message><source>the compressed data is damaged</source><translation>压缩数据已损坏</translation></message>
    <message><source>the compressed data is damaged ({})</source><translation>压缩数据已损坏（{}）</translation></message>
    <message><source>{} was not written by this tracker (its first columns are not step, wall_time): move it away or choose another path</source><translation>{} 不是 Trainyard 的 CSV 文件（其前几列不是 step、wall_time）：请移走它或选择其他路径</translation></message>
    <message><source>csv cannot have a column whose name has a line break</source><translation>csv 的列名不能含有换行符</translation></message>
    <message><source>dvclive writes a file named after each metric, and &apos;{}&apos; would be outside of its folder</source><translation>dvclive 以每个指标的名称建立文件，而 &apos;{}&apos; 不会位于其文件夹内</translation></message>
    <message><source>dvclive has the metric &apos;{}&apos; already, so that &apos;{}&apos; cannot lie below it</source><translation>dvclive 已有指标 &apos;{}&apos;，因此 &apos;{}&apos; 不能位于其下</translation></message>
    <message><source>{} is not a JSON file of metrics: the run cannot continue with it</source><translation>{} 不是指标的 JSON：运行无法以此继续</translation></message>
    <message><source>dvclive keeps numbers and words, not {}</source><translation>dvclive 只保存数字和文字，不保存 {}</translation></message>
    <message><source>unknown tracker &apos;{}&apos;{}</source><translation>未知跟踪器 &apos;{}&apos;{}</translation></message>
    <message><source>the tracker &apos;{}&apos; keeps no pictures: log them with tensorboard</source><translation>跟踪器 &apos;{}&apos; 不保存图片：请用 tensorboard 记录</translation></message>
    <message><source>the tracker &apos;{}&apos; needs a logging directory: give one</source><translation>跟踪器 &apos;{}&apos; 需要日志目录：请给出一个</translation></message>
    <message><source>the arguments of the tracker &apos;{}&apos; are not a dictionary</source><translation>跟踪器 &apos;{}&apos; 的参数不是字典</translation></message>
    <message><source>unknown argument &apos;{}&apos; of the tracker &apos;{}&apos;{}</source><translation>跟踪器 &apos;{1}&apos; 的未知参数 &apos;{0}&apos;{2}</translation></message>
    <message><source>tensorboard shows numbers, words and dictionaries of numbers, not {}</source><translation>tensorboard 显示数字、文字和数字字典，不显示 {}</translation></message>
    <message><source>the tracker &apos;{}&apos; cannot keep up: records are dropped while {} wait to be written</source><translation>跟踪器 &apos;{}&apos; 跟不上：有 {} 条记录等待写入，新记录被丢弃</translation></message>
    <message><source>an exception that is not a std::exception</source><translation>非 std::exception 的异常</translation></message>
    <message><source>the tracker &apos;{}&apos; failed: {}</source><translation>跟踪器 &apos;{}&apos; 失败：{}</translation></message>
    <message><source>the tracker &apos;{}&apos; dropped {} records in all</source><translation>跟踪器 &apos;{}&apos; 共丢弃了 {} 条记录</translation></message>
    <message><source>the tracker &apos;{}&apos; failed {} times in all</source><translation>跟踪器 &apos;{}&apos; 共失败 {} 次</translation></message>
    <message><source>the queue of the trackers must hold at least one record</source><translation>跟踪器的队列至少须容纳一条记录</translation></message>
    <message><source>there are arguments for the tracker &apos;{}&apos;, which is not among those of the run ({})</source><translation>为跟踪器 &apos;{}&apos; 给出了参数，但它不在此运行的跟踪器之中（{}）</translation></message>
    <message><source>the pictures &apos;{}&apos; are not {} pictures of {} × {} pixels with 1 or 3 channels</source><translation>图片 &apos;{}&apos; 不是 {} 张 {} × {} 像素、1 或 3 个通道的图片</translation></message>
    <message><source>no tracker of this run keeps pictures ({}): add tensorboard</source><translation>此运行没有保存图片的跟踪器（{}）：请添加 tensorboard</translation></message>
    <message><source>there is no tracker &apos;{}&apos; in this run; there are: {}</source><translation>此运行中没有跟踪器 &apos;{}&apos;；现有：{}</translation></message>
    <message><source> growth_factor must be greater than 1.</source><translation> growth_factor 必须大于 1。</translation></message>
    <message><source> backoff_factor must be between 0 and 1.</source><translation> backoff_factor 必须在 0 到 1 之间。</translation></message>
    <message><source> init_scale must be a positive number.</source><translation> init_scale 必须为正数。</translation></message>
    <message><source> growth_interval must be 1 or more.</source><translation> growth_interval 至少为 1。</translation></message>
    <message><source>options of the gradient scaler:{}</source><translation>梯度缩放器的选项：{}</translation></message>
    <message><source>fp16 gradients cannot be unscaled: keep the parameters in fp32 and let automatic casting choose fp16 for the forward pass</source><translation>fp16 梯度无法取消缩放：请将参数保持为 fp32，由自动类型转换在前向传播中选择 fp16</translation></message>
    <message><source>the state of the gradient scaler is empty: it was saved by a run without loss scaling; resume with the precision of that run, or leave the scaler&apos;s state out</source><translation>梯度缩放器的状态为空：它由未使用损失缩放的运行保存；请以该运行的精度恢复，或省略缩放器的状态</translation></message>
    <message><source>the optimizer&apos;s state: &apos;{}&apos; has {} elements, the parameters together {}</source><translation>优化器状态：&apos;{}&apos; 有 {} 个元素，而参数共有 {} 个</translation></message>
    <message><source>the optimizer&apos;s state is of another number of parameters or groups: LBFGS has one group, here of {} parameters</source><translation>优化器状态的参数数或组数不同：LBFGS 只有一个组，此处含 {} 个参数</translation></message>
    <message><source>the optimizer&apos;s state: old_dirs, old_stps and ro have different lengths</source><translation>优化器状态：old_dirs、old_stps 和 ro 的长度不同</translation></message>
    <message><source>options must be a dictionary</source><translation>选项必须为字典</translation></message>
    <message><source>must be a dictionary of patterns of names</source><translation>必须为名称模式的字典</translation></message>
    <message><source>LBFGS takes all parameters as one group</source><translation>LBFGS 将所有参数作为一个组</translation></message>
    <message><source>groups: &apos;{}&apos; is the name of no parameter</source><translation>groups：&apos;{}&apos; 不是任何参数的名称</translation></message>
    <message><source>{} updates matrices alone, and there is a parameter with {} dimensions: give the others a group with another optimizer, e.g. AdamW</source><translation>{} 只更新矩阵，而有一个参数是 {} 维：请为其余参数设置使用其他优化器的组，例如 AdamW</translation></message>
    <message><source>the parameters are the averaged weights since eval(): call train() before step()</source><translation>自 eval() 起参数为平均后的权重：请在 step() 之前调用 train()</translation></message>
    <message><source>{} updates while backward runs, and a parameter got a second gradient before step(): run one backward of the whole loss for each step(), and use no parameter in several checkpointed blocks</source><translation>{} 在反向传播期间更新，而某个参数在 step() 之前得到了第二个梯度：每次 step() 只对整个损失做一次反向传播，且不要在多个重计算块中使用同一参数</translation></message>
    <message><source>{}: at step {} the schedule has no finite value; check its arguments (a phase of no length, a division by zero)</source><translation>{}：调度在第 {} 步没有有限值；请检查其参数（长度为零的阶段、除以零）</translation></message>
    <message><source>has {} rates, the optimizer has {} parameter groups</source><translation>有 {} 个学习率，而优化器有 {} 个参数组</translation></message>
    <message><source>{} base rates were given, the optimizer has {} parameter groups</source><translation>给出了 {} 个基础学习率，而优化器有 {} 个参数组</translation></message>
    <message><source>unknown schedule &apos;{}&apos;{}</source><translation>未知调度 &apos;{}&apos;{}</translation></message>
    <message><source>{}: the arguments are a {}, not a dictionary</source><translation>{}：参数为 {}，不是字典</translation></message>
    <message><source>must be finite</source><translation>必须为有限值</translation></message>
    <message><source>is missing: this schedule cannot do without it</source><translation>缺失：此调度必须有该项</translation></message>
    <message><source>is &apos;{}&apos;, must be one of {}</source><translation>为 &apos;{}&apos;，须为 {} 之一</translation></message>
    <message><source>a list of numbers</source><translation>数字列表</translation></message>
    <message><source>has {} numbers, the optimizer has {} parameter groups</source><translation>有 {} 个数，而优化器有 {} 个参数组</translation></message>
    <message><source>a list of whole numbers</source><translation>整数列表</translation></message>
    <message><source>is {}, and {} has no warm-up: set it to 0, or take a schedule that has one, e.g. constant_with_warmup</source><translation>是 {}，而 {} 没有预热：请设为 0，或换用有预热的计划，例如 constant_with_warmup</translation></message>
    <message><source>must be -1: load the schedule&apos;s state to continue a run</source><translation>必须为 -1：要继续运行，请加载调度的状态</translation></message>
    <message><source>unknown argument{}</source><translation>未知参数{}</translation></message>
    <message><source>needs an optimizer with momentum or betas: set it to false</source><translation>需要带 momentum 或 betas 的优化器：请设为 false</translation></message>
    <message><source>{}: step {} is past the {} steps of the cycle; give it more total_steps</source><translation>{}：第 {} 步已超出周期的 {} 步；请增大 total_steps</translation></message>
    <message><source>are {} phases, this schedule has {}</source><translation>有 {} 个阶段，而此调度有 {} 个</translation></message>
    <message><source>must be more than 0</source><translation>必须大于 0</translation></message>
    <message><source>must not be negative</source><translation>不得为负</translation></message>
    <message><source>is missing: give it, or epochs and steps_per_epoch</source><translation>缺失：请给出该项，或给出 epochs 和 steps_per_epoch</translation></message>
    <message><source>must be a share between 0.0 and 1.0, written with a point</source><translation>必须为 0.0 到 1.0 之间的比例，以小数点书写</translation></message>
    <message><source>must not be 0</source><translation>不得为 0</translation></message>
    <message><source>must be a list of {} states</source><translation>必须为含 {} 个状态的列表</translation></message>
    <message><source>[{}] does not fit {}</source><translation>[{}] 与 {} 不符</translation></message>
    <message><source>are {}, must be one fewer than the {} schedules</source><translation>有 {} 个，须比 {} 个调度少一个</translation></message>
    <message><source>must rise</source><translation>必须递增</translation></message>
    <message><source>must be a list of at least one {name, arguments}</source><translation>必须是至少含一个 {name, arguments} 的列表</translation></message>
    <message><source>must have a name</source><translation>必须有名称</translation></message>
    <message><source>follows a metric, which a joined schedule is not given</source><translation>依据指标调整，而组合调度得不到指标</translation></message>
    <message><source>{} needs at least one schedule</source><translation>{} 至少需要一个调度</translation></message>
    <message><source>{}: schedule {} cannot be joined with others: it follows a metric, or was not made by optim/schedule.h</source><translation>{}：调度 {} 无法与其他调度组合：它依据指标调整，或不是由 optim/schedule.h 创建</translation></message>
    <message><source>{}: {} functions were given, the optimizer has {} parameter groups</source><translation>{}：给出了 {} 个函数，而优化器有 {} 个参数组</translation></message>
    <message><source>is {}, must be lower than the initial rate {}</source><translation>为 {}，必须小于初始学习率 {}</translation></message>
    <message><source>and min_lr_rate exclude each other: give one</source><translation>与 min_lr_rate 互斥：请只给出一个</translation></message>
    <message><source>or min_lr_rate is missing: this schedule cannot do without one</source><translation>或 min_lr_rate 缺失：此调度必须有其中之一</translation></message>
    <message><source>has no meaning for an initial rate of 0</source><translation>在初始学习率为 0 时没有意义</translation></message>
    <message><source>or num_training_steps is missing: this schedule cannot do without one</source><translation>或 num_training_steps 缺失：此调度必须有其中之一</translation></message>
    <message><source>{} follows a metric: give one to each step, e.g. the loss of the evaluation</source><translation>{} 依据指标调整：请为每步给出指标，例如评估的损失</translation></message>
    <message><source>must be lower than 1</source><translation>必须小于 1</translation></message>
    <message><source>must be lower than 1 and not 0</source><translation>必须小于 1 且不为 0</translation></message>
    <message><source>a key is not a whole number</source><translation>有一个键不是整数</translation></message>
    <message><source>state of the schedule {}: it is a {}, not a dictionary</source><translation>调度 {} 的状态：它是 {}，不是字典</translation></message>
    <message><source>does not fit ({})</source><translation>不符（{}）</translation></message>
    <message><source>state of the schedule {}: {}; was it saved by another kind of schedule?</source><translation>调度 {} 的状态：{}；它是否由另一种调度保存？</translation></message>
    <message><source>{} has no &apos;{}&apos;: it is of another optimizer than {}</source><translation>{} 中没有 &apos;{}&apos;：它属于 {} 以外的优化器</translation></message>
    <message><source>{} of {}: {}</source><translation>{1} 的 {0}：{2}</translation></message>
    <message><source>the optimizer&apos;s state has {} parameter groups, the optimizer {}</source><translation>优化器状态有 {} 个参数组，而优化器有 {} 个</translation></message>
    <message><source>parameter group {} of the optimizer&apos;s state</source><translation>优化器状态的参数组 {}</translation></message>
    <message><source>{} has {} parameters, the optimizer&apos;s {}</source><translation>{} 有 {} 个参数，而优化器的有 {} 个</translation></message>
    <message><source>the state of this optimizer class cannot be saved or loaded: use Adam, AdamW, SGD, RMSprop, Adagrad or LBFGS of torch::optim, or derive from trainyard::optim::Optimizer</source><translation>此优化器类的状态无法保存或加载：请使用 torch::optim 的 Adam、AdamW、SGD、RMSprop、Adagrad 或 LBFGS，或从 trainyard::optim::Optimizer 派生</translation></message>
    <message><source>this optimizer</source><translation>此优化器</translation></message>
    <message><source>parameter group {} of the optimizer&apos;s state maximizes, which torch&apos;s C++ optimizers cannot: change the sign of the loss</source><translation>优化器状态的参数组 {} 设为最大化，而 torch 的 C++ 优化器不支持：请改变 loss 的符号</translation></message>
    <message><source>activities: cuda has nothing to record, this run does not compute on a CUDA device</source><translation>activities：cuda 没有可记录的内容，此运行不在 CUDA 设备上计算</translation></message>
    <message><source>activities: this build has no {}: it records cpu and cuda</source><translation>activities：此构建不含 {}：它可记录 cpu 和 cuda</translation></message>
    <message><source>activities: {} is not known: use cpu, xpu, mtia, hpu or cuda{}</source><translation>activities：没有 {}：可用的有 cpu、xpu、mtia、hpu 和 cuda{}</translation></message>
    <message><source>schedule_option: {}</source><translation>schedule_option：{}</translation></message>
    <message><source>another profiler of this process is recording: end it first</source><translation>此进程的另一个性能分析器正在记录：请先结束它</translation></message>
    <message><source>the profiler has been started already</source><translation>性能分析器已启动</translation></message>
    <message><source>{}: no trace was recorded: no step of the schedule was an active one</source><translation>{}：没有记录 trace：调度中没有处于 active 的步</translation></message>
    <message><source>{} is {}: it must be {} or more</source><translation>{} 为 {}：至少为 {}</translation></message>
    <message><source>{} is {}: at most 1000000000 steps can be named</source><translation>{} 为 {}：最多可指定 1000000000 步</translation></message>
    <message><source>the trace cannot be written</source><translation>无法写入 trace</translation></message>
    <message><source>the profiler&apos;s file cannot be read</source><translation>无法读取性能分析器的文件</translation></message>
    <message><source>the profiler wrote no file</source><translation>性能分析器没有写出文件</translation></message>
    <message><source>{}: the profiler of this LibTorch writes another form of trace</source><translation>{}：此 LibTorch 的性能分析器写出的 trace 格式不同</translation></message>
    <message><source>no place for the program&apos;s own state: set XDG_STATE_HOME to a folder (HOME is not set)</source><translation>没有存放程序自身状态的位置：请将 XDG_STATE_HOME 设为一个文件夹（未设置 HOME）</translation></message>
    <message><source>{} is not there yet</source><translation>{} 尚不存在</translation></message>
    <message><source>the place for runs, {}, is not a folder: set TRAINYARD_RUNS to a folder, or remove what is there</source><translation>存放运行的位置 {} 不是文件夹：请将 TRAINYARD_RUNS 设为某个文件夹，或移除该处的内容</translation></message>
    <message><source>cannot read the folder of runs {}</source><translation>无法读取运行的文件夹 {}</translation></message>
    <message><source>{} is not a run&apos;s folder: it has neither run.yaml nor state.json</source><translation>{} 不是运行文件夹：其中既没有 run.yaml 也没有 state.json</translation></message>
    <message><source>&apos;{}&apos; fits more than one run: {}</source><translation>&apos;{}&apos; 匹配多个运行：{}</translation></message>
    <message><source>no run &apos;{}&apos;: there are no runs in {}</source><translation>没有运行 &apos;{}&apos;：{} 中没有任何运行</translation></message>
    <message><source>no run &apos;{}&apos; in {}: did you mean &apos;{}&apos;?</source><translation>{1} 中没有运行 &apos;{0}&apos;：是否想写 &apos;{2}&apos;？</translation></message>
    <message><source>no run &apos;{}&apos; in {}: `trainyard runs list` names them</source><translation>{1} 中没有运行 &apos;{0}&apos;：`trainyard runs list` 可列出它们</translation></message>
    <message><source>no place for runs: set TRAINYARD_RUNS to a folder (HOME is not set)</source><translation>没有存放运行的位置：请将 TRAINYARD_RUNS 设为某个文件夹（未设置 HOME）</translation></message>
    <message><source>cannot make the run&apos;s folder {}</source><translation>无法创建运行的文件夹 {}</translation></message>
    <message><source>cannot find a free name for the run in {}</source><translation>在 {} 中找不到可用于此运行的名称</translation></message>
    <message><source>{} is there already and not empty: name another folder for the run</source><translation>{} 已存在且不为空：请为此运行指定其他文件夹</translation></message>
    <message><source>cannot open {}</source><translation>无法打开 {}</translation></message>
    <message><source>the queue in {} is in use by another process: try again</source><translation>{} 中的队列正被其他进程使用：请重试</translation></message>
    <message><source>run {} does not wait in the queue of {}</source><translation>运行 {} 不在 {} 的队列中等待</translation></message>
    <message><source>waits for {} on {}, {} before it</source><translation>正在 {1} 上等待 {0}，前面还有 {2} 个</translation></message>
    <message><source>waits for {} on {}</source><translation>正在 {1} 上等待 {0}</translation></message>
    <message><source>{}: kind is missing</source><translation>{}：缺少 kind</translation></message>
    <message><source>{}: the name of a request is letters, digits, - and _</source><translation>{}：请求的名称只能由字母、数字、- 和 _ 组成</translation></message>
    <message><source>{} is not a run.yaml: it needs the sections launch, and recipe or program</source><translation>{} 不是 run.yaml：它需要 launch 一节，以及 recipe 或 program 一节</translation></message>
    <message><source>{}: created: {}</source><translation>{}：created：{}</translation></message>
    <message><source>&apos;{}&apos; is not text in UTF-8, as run.yaml must be: write it in UTF-8, or rename the file that it names</source><translation>&apos;{}&apos; 不是 run.yaml 要求的 UTF-8 文本：请用 UTF-8 书写，或重命名它所指的文件</translation></message>
    <message><source>the supervisor of {} (pid {} on {})</source><translation>{} 的监管进程（pid {}，位于 {}）</translation></message>
    <message><source>{} is gone, as that machine says</source><translation>据该机器报告，{}已不存在</translation></message>
    <message><source>{} is gone, its last word is {} old</source><translation>{}已不存在，最后一条消息是 {} 前的</translation></message>
    <message><source>resumes it from its last checkpoint</source><translation>可从最后一个 checkpoint 继续运行</translation></message>
    <message><source>starts it again</source><translation>可重新启动运行</translation></message>
    <message><source>{} when it is typed on {}</source><translation>{}（在 {} 上输入）</translation></message>
    <message><source>queues it again</source><translation>可使其重新排队</translation></message>
    <message><source>nothing was heard of {} for {}</source><translation>已有 {1} 没有收到 {0} 的消息</translation></message>
    <message><source>says what is in the way</source><translation>可说明受阻的原因</translation></message>
    <message><source>this folder says that it is a copy of a run on {}, but it was not made by this account: nothing follows it</source><translation>此文件夹声称是 {} 上某个运行的副本，但并非由此账户创建：不会跟踪它</translation></message>
    <message><source>logs in to that host and continues the copy</source><translation>登录该主机并继续复制</translation></message>
    <message><source>{} is stopped and has said nothing for {}</source><translation>{}已被挂起，已有 {} 没有消息</translation></message>
    <message><source>{} hangs or has no time and has said nothing for {}</source><translation>{}已挂死或得不到处理器时间，已有 {} 没有消息</translation></message>
    <message><source>lets it continue</source><translation>可使其继续运行</translation></message>
    <message><source>ends it and its ranks, after which the run can be started again</source><translation>可结束它及其 rank，之后可重新启动运行</translation></message>
    <message><source>{}, as a folder says that was not made by a launch of this account</source><translation>{}（此说法来自并非由本账户启动而创建的文件夹）</translation></message>
    <message><source>&apos;{}&apos; is not a status of a run</source><translation>&apos;{}&apos; 不是运行的状态</translation></message>
    <message><source>queued, but the process that waited for its turn has ended: queue it again</source><translation>已排队，但已没有进程在等待轮到它：请重新排队</translation></message>
    <message><source>cannot move {} to {}: {}</source><translation>无法将 {} 移至 {}：{}</translation></message>
    <message><source>{} is not a deleted run</source><translation>{} 不是已删除的运行</translation></message>
    <message><source>there is no run in {}: it was moved or deleted already</source><translation>{} 中没有运行：它已被移动或删除</translation></message>
    <message><source>run {} is {}: stop it before it is deleted</source><translation>运行 {} 的状态为 {}：请先停止再删除</translation></message>
    <message><source>{} exists again: rename it before you restore the deleted run</source><translation>{} 又已存在：请先将其重命名，再还原已删除的运行</translation></message>
    <message><source>{} is no longer in the trash: it was purged</source><translation>{} 已不在回收站中：它已被彻底清除</translation></message>
    <message><source>cannot delete {}</source><translation>无法删除 {}</translation></message>
    <message><source>data.path: the data has {} tokens, less than one sample of data.sequence_length ({}): add data or shorten the samples</source><translation>data.path：数据有 {} 个 token，不足一个 data.sequence_length（{}）长的样本：请添加数据或缩短样本</translation></message>
    <message><source>model.vocab_size: the data holds the token {}, so it must be at least {}, not {}</source><translation>model.vocab_size：数据中含有 token {}，因此该值至少须为 {}，而不是 {}</translation></message>
    <message><source>facts on the data</source><translation>数据信息</translation></message>
    <message><source>data.path: no label of the {} training samples is counted, so nothing can be learnt: all are -100, masked, or cut off by data.sequence_length ({}). Check the labels, or make data.sequence_length larger</source><translation>data.path：{} 个训练样本中没有任何标签计入，因此学不到东西：全部是 -100、被掩蔽或被 data.sequence_length（{}）截断。请检查标签，或增大 data.sequence_length</translation></message>
    <message><source>no label of the {} samples that are held out is counted, so there is no eval/loss: check their labels, or make data.validation_fraction or data.sequence_length larger</source><translation>{} 个留出样本中没有任何标签计入，因此没有 eval/loss：请检查它们的标签，或增大 data.validation_fraction 或 data.sequence_length</translation></message>
    <message><source>the data has {} samples to train on, and a step takes {} ({}): samples are repeated within a step; add data, or lower training.batch_size</source><translation>数据有 {} 个训练样本，而一步需要 {} 个（{}）：同一步内会重复使用样本；请添加数据或减小 training.batch_size</translation></message>
    <message><source>parallel.pp_size: pipeline stages work on the CPU alone in this version: set it to 1, or start with --cpu</source><translation>parallel.pp_size：此版本的流水线 stage 只能在 CPU 上运行：请设为 1，或使用 --cpu 启动</translation></message>
    <message><source>optimizer.name: {} updates while backward runs, on one rank alone: start one process</source><translation>optimizer.name：{} 在反向过程中更新，仅限单个 rank：请只启动一个进程</translation></message>
    <message><source>started from random weights, seed {}</source><translation>从随机权重开始，种子 {}</translation></message>
    <message><source>started from the weights in {}</source><translation>从 {} 中的权重开始</translation></message>
    <message><source>{}; missing there and newly initialized: {}</source><translation>{}；其中缺少 {}，已重新初始化</translation></message>
    <message><source>{}, with the adapter in {}</source><translation>{}，并使用 {} 中的适配器</translation></message>
    <message><source>lora.adapter: {} brings {}, which checkpoints of an adapter would lack: name its module in lora.modules_to_save, or merge the adapter first (trainyard merge-adapter)</source><translation>lora.adapter：{} 带有 {}，而适配器的检查点不会包含它：请在 lora.modules_to_save 中写明其模块，或先合并适配器（trainyard merge-adapter）</translation></message>
    <message><source>lora.adapter: {}; remove them from the file</source><translation>lora.adapter：{}；请从文件中删除</translation></message>
    <message><source>mixed precision</source><translation>混合精度</translation></message>
    <message><source>parallel.pp_size: a model that is called has all its stages; pipelines are trained from a recipe (trainyard launch RECIPE.yaml)</source><translation>parallel.pp_size：被直接调用的模型包含其全部 stage；流水线须通过配方训练（trainyard launch RECIPE.yaml）</translation></message>
    <message><source>training.local_sgd_steps: a program calls Accelerator::local_sgd() to average; Local SGD of a recipe is for trainyard launch RECIPE.yaml</source><translation>training.local_sgd_steps：程序须自行用 Accelerator::local_sgd() 求平均；配方中的 Local SGD 用于 trainyard launch RECIPE.yaml</translation></message>
    <message><source>running statistics</source><translation>运行统计量</translation></message>
    <message><source>optimizer.name: {} needs whole parameters, and under ZeRO every rank has slices of them: set parallel.zero_stage to 0</source><translation>optimizer.name：{} 需要完整的参数，而在 ZeRO 下每个 rank 只有其中一部分：请将 parallel.zero_stage 设为 0</translation></message>
    <message><source>parallel.offload_optimizer_device: only state that is updated element by element after backward, on a processor, can be stored on a disk: set it to none</source><translation>parallel.offload_optimizer_device：只有在处理器上、反向传播之后逐元素更新的状态才能放在磁盘上：请设为 none</translation></message>
    <message><source>the parameters are the averaged weights since eval(): call train() before saving the state</source><translation>自 eval() 起参数是平均权重：保存状态前请调用 train()</translation></message>
    <message><source>model.device_map: this version stores weights on a disk only for ranks on processors: leave it out, or start with --cpu</source><translation>model.device_map：此版本中只有处理器上的 rank 才能将权重放在磁盘上：请去掉，或使用 --cpu 启动</translation></message>
    <message><source>the communication hook {} starts again: {}</source><translation>通信 hook {} 重新开始：{}</translation></message>
    <message><source>the checkpoint has no state of it</source><translation>checkpoint 中没有它的状态</translation></message>
    <message><source>its state in the checkpoint is of {} ranks, here are {}</source><translation>checkpoint 中它的状态来自 {} 个 rank，而此处有 {} 个</translation></message>
    <message><source>its state in the checkpoint was made with {}</source><translation>checkpoint 中它的状态是用 {} 生成的</translation></message>
    <message><source>Local SGD continues with the optimizer&apos;s moments of rank 0 on every rank: {}</source><translation>Local SGD 在每个 rank 上使用 rank 0 的优化器矩继续：{}</translation></message>
    <message><source>the checkpoint has no others</source><translation>checkpoint 中没有其他的矩</translation></message>
    <message><source>those in the checkpoint are of {} ranks, here are {}</source><translation>checkpoint 中的矩来自 {} 个 rank，而此处有 {} 个</translation></message>
    <message><source>{} has no &apos;{}&apos; of the shape that the model needs: it belongs to another model</source><translation>{} 中没有形状符合模型要求的 &apos;{}&apos;：它属于另一个模型</translation></message>
    <message><source>the checkpoint is of Local SGD on {} ranks: the optimizer continues with the moments of rank 0, those of the others are left out</source><translation>checkpoint 来自 {} 个 rank 上的 Local SGD：优化器以 rank 0 的矩继续，其他 rank 的矩被舍弃</translation></message>
    <message><source>parameters of {} bytes an element cannot be compared over the ranks</source><translation>每个元素 {} 字节的参数无法在各 rank 之间比较</translation></message>
    <message><source>1 parameter</source><translation>1 个参数</translation></message>
    <message><source>{} parameters</source><translation>{} 个参数</translation></message>
    <message><source>step {}: the parameters of rank {} differ from those of the others, first in {} ({}): their training is no longer the same</source><translation>第 {} 步：rank {} 的参数与其他 rank 不同，首先出现在 {}（{}）：它们的训练已不再一致</translation></message>
    <message><source>step {}: the parameters of ranks {} differ from those of the others, first in {} ({}): their training is no longer the same</source><translation>第 {} 步：rank {} 的参数与其他 rank 不同，首先出现在 {}（{}）：它们的训练已不再一致</translation></message>
    <message><source>parameter hash</source><translation>参数的哈希</translation></message>
    <message><source>the number of parameters</source><translation>参数数量</translation></message>
    <message><source>parameter hashes</source><translation>各参数的哈希</translation></message>
    <message><source>a backward follows the last one of the update: call accumulate() before each micro-batch, and the optimizer&apos;s step() after the last</source><translation>在本次更新的最后一次反向之后又有一次反向：请在每个 micro-batch 之前调用 accumulate()，并在最后一个之后调用优化器的 step()</translation></message>
    <message><source>loss spikes: window and warm_up must be at least 2, settle at least 1, the threshold more than 0</source><translation>损失突增：window 和 warm_up 至少为 2，settle 至少为 1，阈值须大于 0</translation></message>
    <message><source>{} (first in {})</source><translation>{}（首先出现在 {}）</translation></message>
    <message><source>the loss and the gradients are not finite</source><translation>损失和梯度出现非有限值</translation></message>
    <message><source>the loss is not finite</source><translation>损失出现非有限值</translation></message>
    <message><source>the gradients are not finite</source><translation>梯度出现非有限值</translation></message>
    <message><source>step {}: {}</source><translation>第 {} 步：{}</translation></message>
    <message><source>step {}: {} steps in a row were not finite, the run stops</source><translation>第 {} 步：连续 {} 步出现非有限值，运行停止</translation></message>
    <message><source>{} steps in a row were not finite</source><translation>连续 {} 步出现非有限值</translation></message>
    <message><source>loss {:.4g} is {:.1f} deviations above the median {:.4g} of the last steps</source><translation>损失 {0} 比最近各步的中位数 {2} 高出 {1} 个偏差</translation></message>
    <message><source>loss {:.4g} is far above the median {:.4g} of the last steps</source><translation>损失 {} 远高于最近各步的中位数 {}</translation></message>
    <message><source>first not finite</source><translation>首个非有限值</translation></message>
    <message><source>{} on rank {}</source><translation>rank {1} 上的 {0}</translation></message>
    <message><source>its products are wrong</source><translation>其乘积结果错误</translation></message>
    <message><source>mixed_precision {} does not work on {} ({}): choose no or {}</source><translation>mixed_precision {} 在 {} 上无法工作（{}）：请选择 no 或 {}</translation></message>
    <message><source>step {} is left out; there is no good checkpoint yet to go back to</source><translation>第 {} 步被跳过；尚无可回退的正常 checkpoint</translation></message>
    <message><source>weights and optimizer are those of {} again; the batches from there to step {} are left out</source><translation>权重和优化器已恢复为 {} 的状态；从那里到第 {} 步的 batch 被跳过</translation></message>
    <message><source>step {}: rank {} holds up the others: {} of its own for a step, the others {} (median), {} rounds in a row</source><translation>第 {} 步：rank {} 拖慢了其他 rank：其自身每步耗时 {}，其他为 {}（中位数），已连续 {} 轮</translation></message>
    <message><source>step times</source><translation>每步耗时</translation></message>
    <message><source>norm of the gradients</source><translation>梯度的范数</translation></message>
    <message><source>gradients not finite</source><translation>梯度非有限</translation></message>
    <message><source>decay must be between 0 and 1.</source><translation>decay 必须在 0 到 1 之间。</translation></message>
    <message><source>start_step must not be negative.</source><translation>start_step 不得为负。</translation></message>
    <message><source>update_every must be 1 or more.</source><translation>update_every 至少为 1。</translation></message>
    <message><source>options of the weight average: {}</source><translation>权重平均的选项：{}</translation></message>
    <message><source>the saved average of &apos;{}&apos; has another shape than the weight</source><translation>已保存的 &apos;{}&apos; 平均值与该权重形状不同</translation></message>
    <message><source>the checkpoint was made with another schedule: give the same schedule.name and arguments</source><translation>checkpoint 是用另一种调度生成的：请给出相同的 schedule.name 和参数</translation></message>
    <message><source>model.task: {} cannot be trained from a recipe in this version</source><translation>model.task：此版本无法通过配方训练 {}</translation></message>
    <message><source>data.column: {} holds no conversations: each is a list of tables with role and content</source><translation>data.column：{} 中没有对话：每个对话是由含 role 和 content 的表组成的列表</translation></message>
    <message><source>data.path: the conversations have {} tokens, less than one sample of data.sequence_length ({}): add some, or shorten the samples</source><translation>data.path：对话有 {} 个 token，不足一个 data.sequence_length（{}）长的样本：请添加对话或缩短样本</translation></message>
    <message><source>data.column: the conversation of row {} {}: it is a list of tables with role and content</source><translation>data.column：第 {} 行的对话{}：对话是由含 role 和 content 的表组成的列表</translation></message>
    <message><source>is not a list</source><translation>不是列表</translation></message>
    <message><source>has a turn without a text for role or content</source><translation>有一轮缺少 role 或 content 的文本</translation></message>
    <message><source>{} has no preprocessor_config.json: its images are normalised with mean 0.5 and deviation 0.5, so put the file there if the weights were trained with others</source><translation>{} 没有 preprocessor_config.json：图像以均值 0.5 和标准差 0.5 归一化；如果权重是用其他值训练的，请把该文件放在那里</translation></message>
    <message><source>{}: images of a batch have one size, and this one has {} × {} pixels, others {} × {}: give images of one size, or a size in preprocessor_config.json</source><translation>{}：同一批图像大小必须相同，而这一张为 {} × {} 像素，其他为 {} × {}：请使用相同大小的图像，或在 preprocessor_config.json 中给出大小</translation></message>
    <message><source>data.column: {} are not images: images are uint8 or float32 [height, width], or with colours [height, width, colours] or [colours, height, width]</source><translation>data.column：{} 不是图像：图像为 uint8 或 float32 的 [height, width]，有颜色时为 [height, width, colours] 或 [colours, height, width]</translation></message>
    <message><source>model.num_channels: {} have {} colours, and num_channels is {}</source><translation>model.num_channels：{} 有 {} 个颜色通道，而 num_channels 为 {}</translation></message>
    <message><source>{} has {} × {} pixels, which preprocessor_config.json leaves as they are, and model.image_size is {}: resize the images</source><translation>{} 为 {} × {} 像素，preprocessor_config.json 不改变大小，而 model.image_size 为 {}：请调整图像大小</translation></message>
    <message><source>an image of data.path</source><translation>data.path 中的一张图像</translation></message>
    <message><source>data.tokenizer: {} has no [MASK] or &lt;mask&gt;, which masked_lm needs: take the tokenizer of a masked language model</source><translation>data.tokenizer：{} 没有 masked_lm 所需的 [MASK] 或 &lt;mask&gt;：请使用掩码语言模型的分词器</translation></message>
    <message><source>data.plugin: the data set &apos;{}&apos; has no samples</source><translation>data.plugin：数据集 &apos;{}&apos; 没有样本</translation></message>
    <message><source>data.plugin: a sample of the data set &apos;{}&apos; must have labels and at least one input of the model</source><translation>data.plugin：数据集 &apos;{}&apos; 的样本须含有 labels 和至少一个模型输入</translation></message>
    <message><source>data.plugin: samples of the data set &apos;{}&apos; differ in what they have, or in the shape of &apos;{}&apos;: fill them up to one shape</source><translation>data.plugin：数据集 &apos;{}&apos; 的各样本内容不同，或 &apos;{}&apos; 的形状不同：请填充为统一的形状</translation></message>
    <message><source>data.column: {} and {} must be lists, one entry for each word</source><translation>data.column：{} 和 {} 须为列表，每个词一项</translation></message>
    <message><source>data.label_column: row {} has {} words and {} classes</source><translation>data.label_column：第 {} 行有 {} 个词和 {} 个类别</translation></message>
    <message><source>data.path: the files hold no rows: name others</source><translation>data.path：文件中没有行：请指定其他文件</translation></message>
    <message><source>data.label_column: the number &apos;{}&apos; has a comma: write it with a decimal point, and without separators of thousands</source><translation>data.label_column：数字“{}”含有逗号：请使用小数点，并去掉千位分隔符</translation></message>
    <message><source>data.label_column: {} holds no numbers</source><translation>data.label_column：{} 中没有数值</translation></message>
    <message><source>the saved place of the data is batch {} of a pass that has {}: give the training.steps that it was saved with, or more</source><translation>保存的数据位置是第 {} 个 batch，而一轮只有 {} 个：请给出保存时的 training.steps 或更大的值</translation></message>
    <message><source>the set of {}</source><translation>{} 所在的文件集</translation></message>
    <message><source>data.column: {} in {} is neither text nor whole numbers</source><translation>data.column：{1} 中的 {0} 既不是文本也不是整数</translation></message>
    <message><source>data.tokenizer makes tokens of text, and {} in {} holds whole numbers: leave it out</source><translation>data.tokenizer 将文本转换为 token，而 {1} 中的 {0} 为整数：请省略它</translation></message>
    <message><source>{} (repair this record, or leave out all that cannot be read: data.on_corrupt: skip)</source><translation>{}（请修复此记录，或跳过所有无法读取的记录：data.on_corrupt: skip）</translation></message>
    <message><source>data.column: {} holds {} in &apos;{}&apos;, which is not a token: tokens are whole numbers from 0 to {}</source><translation>data.column：{0} 的 &apos;{2}&apos; 中含有 {1}，它不是 token：token 是 0 到 {3} 的整数</translation></message>
    <message><source>data.path: {} holds {}, which is not a token</source><translation>data.path：{} 中含有 {}，它不是 token</translation></message>
    <message><source>data.path: the files hold no tokens: name others</source><translation>data.path：文件中没有 token：请指定其他文件</translation></message>
    <message><source>the step before it was not finite</source><translation>之前的一步出现非有限值</translation></message>
    <message><source>the {} steps before it were not finite</source><translation>之前的 {} 步出现非有限值</translation></message>
    <message><source>checkpoint saved</source><translation>checkpoint 已保存</translation></message>
    <message><source>another rank could not save the checkpoint</source><translation>另一个 rank 未能保存 checkpoint</translation></message>
    <message><source>gradients to be looked at</source><translation>待查看的梯度</translation></message>
    <message><source>{} in {}</source><translation>{}，位于 {}</translation></message>
    <message><source>resumed from Accelerate&apos;s {} at step {}: weights, moments and the number of steps are its own; learning rate, its schedule, betas, eps, weight decay and the order of the data are the recipe&apos;s</source><translation>从 Accelerate 的 {} 恢复，第 {} 步：权重、矩和步数取自其中；学习率及其调度、betas、eps、权重衰减和数据顺序取自配方</translation></message>
    <message><source>cannot resume from {}: its data had {} training blocks, data.path has {}: give the same data, or start from model.weights</source><translation>无法从 {} 恢复：其数据有 {} 个训练块，而 data.path 有 {} 个：请给出相同的数据，或从 model.weights 开始</translation></message>
    <message><source>cannot resume from {}: it was trained with seed {}: set training.seed to it, or start from model.weights</source><translation>无法从 {} 恢复：它用种子 {} 训练：请将 training.seed 设为该值，或从 model.weights 开始</translation></message>
    <message><source>the global batch changes from {} samples a step, in {} ({}), to {} on {}, with the learning rate as it was: to keep it, start with --set training.global_batch_size={}</source><translation>全局 batch 从每步 {0} 个样本（{1}，{2}）变为 {4} 上的 {3} 个，学习率不变：若要保持，请使用 --set training.global_batch_size={5} 启动</translation></message>
    <message><source>resumed from {} at step {}</source><translation>从 {} 恢复，第 {} 步</translation></message>
    <message><source>checkpoint read</source><translation>checkpoint 已读取</translation></message>
    <message><source>samples per step</source><translation>每步样本数</translation></message>
    <message><source>training samples</source><translation>训练样本</translation></message>
    <message><source>the model, batch or data set</source><translation>模型、batch 或数据集</translation></message>
    <message><source>not finite</source><translation>非有限值</translation></message>
    <message><source>step {} was skipped: none of its labels is counted</source><translation>第 {} 步已跳过：其中没有计入的标签</translation></message>
    <message><source>nothing was learnt: no label of the last {} steps is counted. Check the labels of data.path, data.sequence_length, and for masked_lm data.mlm_probability</source><translation>什么也没学到：最近 {} 步中没有任何标签计入。请检查 data.path 的标签、data.sequence_length，masked_lm 时还有 data.mlm_probability</translation></message>
    <message><source>the model does not fit into memory: let part of it be read from disk (--device-map auto, with --max-memory cpu=SIZE where less is to be used), or give --dtype bfloat16</source><translation>内存放不下该模型：请让其中一部分从磁盘读取（--device-map auto，需少用内存时再加 --max-memory cpu=SIZE），或指定 --dtype bfloat16</translation></message>
    <message><source>the request names no folder to write</source><translation>请求没有指定要写入的文件夹</translation></message>
    <message><source>no file descriptors are left: raise `ulimit -n`</source><translation>文件描述符已用尽：请提高 `ulimit -n`</translation></message>
    <message><source>the ranks of this run have been restarted: this one is of generation {}, the run is at {}</source><translation>此运行的各 rank 已重新启动：本 rank 属于第 {} 代，运行已到第 {} 代</translation></message>
    <message><source>evaluated at step {}</source><translation>已在第 {} 步评估</translation></message>
    <message><source>the highest learning rate is {:.6g} from step {} on; the schedule makes it {:.6g} there</source><translation>从第 {1} 步起最高学习率为 {0}；按调度该步为 {2}</translation></message>
    <message><source>paused after step {}</source><translation>已在第 {} 步后暂停</translation></message>
    <message><source>training goes on after step {}</source><translation>训练在第 {} 步后继续</translation></message>
    <message><source>stopped after step {}</source><translation>已在第 {} 步后停止</translation></message>
    <message><source>stopped after step {} because {}</source><translation>已在第 {} 步后停止，因为 {}</translation></message>
    <message><source>{}, its checkpoint is saved</source><translation>{}，checkpoint 已保存</translation></message>
    <message><source>{}, without a checkpoint as asked</source><translation>{}，按要求未保存 checkpoint</translation></message>
    <message><source>{}, without a checkpoint: {}</source><translation>{}，未保存 checkpoint：{}</translation></message>
    <message><source>nothing is left to train: the checkpoint is of step {} of {}; its state is saved here, and training.steps makes the run longer</source><translation>已没有可训练的步：checkpoint 为第 {} 步，共 {} 步；其状态保存在此处，可用 training.steps 延长运行</translation></message>
    <message><source>connecting {} ranks</source><translation>正在连接 {} 个 rank</translation></message>
    <message><source>debug mode: the ranks compare operation and shapes before every collective</source><translation>调试模式：每次集合操作之前，各 rank 会比较操作和形状</translation></message>
    <message><source>building the model and reading the data</source><translation>正在构建模型并读取数据</translation></message>
    <message><source>{}: {} parameters on {}</source><translation>{0}：{2} 上 {1} 个参数</translation></message>
    <message><source>{} of a rank on disk</source><translation>每个 rank 有 {} 在磁盘上</translation></message>
    <message><source>out of memory: this rank held {} at most, its address space is limited to {} (ulimit -v): make training.batch_size or data.sequence_length smaller, or raise the limit</source><translation>内存不足：此 rank 最多占用了 {}，其地址空间上限为 {}（ulimit -v）：请减小 training.batch_size 或 data.sequence_length，或提高上限</translation></message>
    <message><source>out of memory: this rank held {} at most: make training.batch_size or data.sequence_length smaller</source><translation>内存不足：此 rank 最多占用了 {}：请减小 training.batch_size 或 data.sequence_length</translation></message>
    <message><source>profile of steps {} to {}: {} events of each rank, {}</source><translation>第 {} 到 {} 步的性能分析：每个 rank {} 个事件，{}</translation></message>
    <message><source>{}; a recorded step took {}, others {} ({:+.0f} %)</source><translation>{}；每个被记录的步用时 {}，其他步 {}（{} %）</translation></message>
    <message><source>{}; written in {}</source><translation>{}；写入用时 {}</translation></message>
    <message><source>{}; it ended {} steps early, because it had recorded enough operators to fill the memory: record fewer steps at a time</source><translation>{}；提前 {} 步结束，因为记录的算子已占满内存：请减少每次记录的步数</translation></message>
    <message><source>the run ended before a step was recorded</source><translation>运行在记录任何一步之前就已结束</translation></message>
    <message><source>a request</source><translation>请求</translation></message>
    <message><source>the first line names no model</source><translation>第一行没有指定模型</translation></message>
    <message><source>{}={} is not a number: start ranks with `trainyard launch`</source><translation>{}={} 不是数字：请用 `trainyard launch` 启动 rank</translation></message>
    <message><source>{} is not set: start ranks with `trainyard launch`</source><translation>未设置 {}：请用 `trainyard launch` 启动 rank</translation></message>
    <message><source>curves are not written any more: {}</source><translation>不再写入曲线：{}</translation></message>
    <message><source>validation loss {:.4f} at step {}</source><translation>第 {1} 步的验证损失 {0}</translation></message>
    <message><source>{}, {:.4f} with averaged weights</source><translation>{}，使用平均权重时为 {}</translation></message>
    <message><source>{}, accuracy {:.2f} %</source><translation>{}，准确率 {} %</translation></message>
    <message><source>measured memory</source><translation>实测内存</translation></message>
    <message><source>rank {} got {}: all ranks save a checkpoint and stop</source><translation>rank {} 收到 {}：所有 rank 保存 checkpoint 后停止</translation></message>
    <message><source>the engine of this version cannot do &apos;{}&apos;: it takes stop, checkpoint, evaluate, pause, resume, set and profile</source><translation>此版本的引擎不支持 &apos;{}&apos;：支持 stop、checkpoint、evaluate、pause、resume、set 和 profile</translation></message>
    <message><source>nothing is held out to evaluate on: data.validation_fraction is 0</source><translation>没有留出可用于评估的数据：data.validation_fraction 为 0</translation></message>
    <message><source>paused already</source><translation>已处于暂停状态</translation></message>
    <message><source>the run is not paused</source><translation>运行未暂停</translation></message>
    <message><source>training goes on</source><translation>训练继续</translation></message>
    <message><source>set takes lr, a number greater than 0 and at most 100, and nothing else</source><translation>set 只接受 lr，须为大于 0 且不超过 100 的数</translation></message>
    <message><source>{}, from {} to {}</source><translation>{}，从 {} 到 {}</translation></message>
    <message><source>{}, true or false</source><translation>{}，true 或 false</translation></message>
    <message><source>profile takes {}</source><translation>profile 接受 {}</translation></message>
    <message><source>profile does not know &apos;{}&apos;: it takes {}</source><translation>profile 不识别 &apos;{}&apos;：它接受 {}</translation></message>
    <message><source>another profile is being recorded</source><translation>正在记录另一次性能分析</translation></message>
    <message><source>no sample: {}</source><translation>没有样例文本：{}</translation></message>
    <message><source>checkpoint {}: {}</source><translation>checkpoint {}：{}</translation></message>
    <message><source>checkpoint {}, {} in {}, training paused for {}</source><translation>checkpoint {}，{}，用时 {}，训练暂停 {}</translation></message>
    <message><source>checkpoint {}, {} in {}, training paused for {}, is marked as not good: {}; no run resumes from it automatically, and no earlier one is removed for it</source><translation>checkpoint {}，{}，用时 {}，训练暂停 {}，已标记为不可用：{}；不会自动从它继续，也不会为它删除更早的 checkpoint</translation></message>
    <message><source>checkpoint_{} is saved</source><translation>checkpoint_{} 已保存</translation></message>
    <message><source>checkpoint_{} is saved, is marked as not good: {}</source><translation>checkpoint_{} 已保存，已标记为不可用：{}</translation></message>
    <message><source>checkpoint {} is the best so far: {} {:.6g}</source><translation>checkpoint {} 为迄今最佳：{} {}</translation></message>
    <message><source>checkpoint {} was not saved: {}</source><translation>checkpoint {} 未保存：{}</translation></message>
    <message><source>outcome of a stage</source><translation>检查阶段的结果</translation></message>
    <message><source>check &apos;{}&apos; failed on rank {}</source><translation>检查 &apos;{}&apos; 在 rank {} 上失败</translation></message>
    <message><source>check &apos;{}&apos; failed on ranks {}</source><translation>检查 &apos;{}&apos; 在 rank {} 上失败</translation></message>
    <message><source>check of sums</source><translation>求和检查</translation></message>
    <message><source>a sum over the ranks of {} {} numbers is {} instead of {}</source><translation>{} 个 {} 数在各 rank 间的和为 {}，应为 {}</translation></message>
    <message><source>{} cannot be written</source><translation>无法写入 {}</translation></message>
    <message><source>the ranks did not write in their order</source><translation>各 rank 没有按顺序写入</translation></message>
    <message><source>first ranks of machines</source><translation>各机器的第一个 rank</translation></message>
    <message><source>process ids</source><translation>进程 ID</translation></message>
    <message><source>two ranks are the same process</source><translation>两个 rank 是同一进程</translation></message>
    <message><source>rank {} is called otherwise</source><translation>rank {} 的编号不符</translation></message>
    <message><source>{} processes take turns</source><translation>{} 个进程轮流执行</translation></message>
    <message><source>{} processes on {} machines take turns</source><translation>{1} 台机器上的 {0} 个进程轮流执行</translation></message>
    <message><source>check of broadcast</source><translation>广播检查</translation></message>
    <message><source>rank {} sent numbers to all, and others came</source><translation>rank {} 向所有 rank 发送了数值，但收到的数值不同</translation></message>
    <message><source>check of gathering</source><translation>聚合检查</translation></message>
    <message><source>what was gathered from rank {} is not what it has</source><translation>从 rank {} 聚合到的内容与其自身的不同</translation></message>
    <message><source>sums in fp32, fp64, bf16 and int64, broadcasts, gathering, barriers</source><translation>fp32、fp64、bf16 和 int64 的求和、广播、聚合、屏障</translation></message>
    <message><source>begin of a share</source><translation>一份的起点</translation></message>
    <message><source>end of a share</source><translation>一份的终点</translation></message>
    <message><source>the share of rank {} of {} items begins at {} instead of {}</source><translation>rank {} 在 {} 个元素中的那一份从 {} 开始，应为 {}</translation></message>
    <message><source>{} of {} items were given out</source><translation>{1} 个元素中分配了 {0} 个</translation></message>
    <message><source>shares of {} items differ by more than one</source><translation>{} 个元素的各份相差超过 1 个</translation></message>
    <message><source>state of rank 0&apos;s generator</source><translation>rank 0 的随机数生成器状态</translation></message>
    <message><source>the state of its generator is not that of rank 0</source><translation>其随机数生成器的状态与 rank 0 的不同</translation></message>
    <message><source>numbers of rank 0</source><translation>rank 0 的随机数</translation></message>
    <message><source>it draws other numbers than rank 0</source><translation>抽取的随机数与 rank 0 不同</translation></message>
    <message><source>the same state and the same numbers on every rank</source><translation>每个 rank 上的状态和随机数都相同</translation></message>
    <message><source>measured ball</source><translation>往返测量</translation></message>
    <message><source>what it exchanges with rank {} is {} instead of {}</source><translation>与 rank {} 交换的值为 {}，应为 {}</translation></message>
    <message><source>plan of a pair</source><translation>rank 对的计划</translation></message>
    <message><source>local ranks</source><translation>本地 rank</translation></message>
    <message><source>ranks of machines</source><translation>各机器的 rank 数</translation></message>
    <message><source>a sum is wrong</source><translation>某个和不正确</translation></message>
    <message><source>1 rank, nothing to communicate</source><translation>1 个 rank，无需通信</translation></message>
    <message><source>measured sum</source><translation>求和测量</translation></message>
    <message><source>a sum is wrong after many of them</source><translation>多次求和之后有一个和不正确</translation></message>
    <message><source>plan of measured sums</source><translation>求和测量的计划</translation></message>
    <message><source>all-reduce: latency {:.0f} us, bandwidth {} per rank</source><translation>all-reduce：延迟 {} µs，每个 rank 带宽 {}</translation></message>
    <message><source>1 rank, no pair</source><translation>1 个 rank，没有可配对的 rank</translation></message>
    <message><source>latency of a pair</source><translation>rank 对的延迟</translation></message>
    <message><source>sizes of a pair</source><translation>rank 对的大小</translation></message>
    <message><source>time of a pair</source><translation>rank 对的时间</translation></message>
    <message><source>{} pair: latency at most {:.0f} us, bandwidth {} to {}</source><translation>{} 对：延迟最大 {} µs，带宽 {} 到 {}</translation></message>
    <message><source>{} pairs: latency at most {:.0f} us, bandwidth {} to {}</source><translation>{} 对：延迟最大 {} µs，带宽 {} 到 {}</translation></message>
    <message><source>{} does not reach {} ({})</source><translation>{} 无法连接到 {}（{}）</translation></message>
    <message><source>{}: open the ports between these machines (ranks use any), or name an interface on which they reach each other in TRAINYARD_ADDRESS</source><translation>{}：请开放这些机器之间的端口（rank 可能使用任意端口），或在 TRAINYARD_ADDRESS 中指定它们可互相访问的网络接口</translation></message>
    <message><source>weights of one process</source><translation>单个进程的权重</translation></message>
    <message><source>loss of one process</source><translation>单个进程的损失</translation></message>
    <message><source>{}: after {} steps a weight differs from one process&apos; by {:.2g}, more than {:.0e}</source><translation>{}：{} 步之后，某个权重与单个进程的相差 {}，超过 {}</translation></message>
    <message><source>{}: after {} steps the loss differs from one process&apos; by {:.2g}</source><translation>{}：{} 步之后，损失与单个进程的相差 {}</translation></message>
    <message><source>a sample does not belong to the data set</source><translation>某个样本不属于该数据集</translation></message>
    <message><source>samples seen</source><translation>已见样本</translation></message>
    <message><source>some of {} samples were not seen exactly {} times in {} epochs</source><translation>{0} 个样本中有一些在 {2} 个 epoch 中出现的次数不是 {1} 次</translation></message>
    <message><source>the second epoch has the order of the first</source><translation>第二个 epoch 的顺序与第一个相同</translation></message>
    <message><source>{} samples, each once per epoch over all ranks, in a new order each epoch</source><translation>{} 个样本，每个 epoch 在所有 rank 上各出现一次，且每个 epoch 顺序不同</translation></message>
    <message><source>{} rank and 2 micro-steps give the weights of one process, fp32 and bf16</source><translation>{} 个 rank 和 2 个微步得到与单个进程相同的权重，fp32 和 bf16</translation></message>
    <message><source>{} ranks and 2 micro-steps give the weights of one process, fp32 and bf16</source><translation>{} 个 rank 和 2 个微步得到与单个进程相同的权重，fp32 和 bf16</translation></message>
    <message><source>it resumes at step {} instead of 3</source><translation>从第 {} 步恢复，应为第 3 步</translation></message>
    <message><source>the weights read back are not those that were saved</source><translation>读回的权重与保存的不同</translation></message>
    <message><source>the step after resuming has the loss {:.9g} instead of {:.9g}</source><translation>恢复后那一步的损失为 {}，应为 {}</translation></message>
    <message><source>the step after resuming gives other weights</source><translation>恢复后那一步得到的权重不同</translation></message>
    <message><source>{} bytes saved, read back and trained on, bit by bit the same</source><translation>保存、读回并继续训练 {} 字节，逐位相同</translation></message>
    <message><source>cannot start from {}</source><translation>无法从 {} 开始</translation></message>
    <message><source>cannot resume from {}</source><translation>无法从 {} 恢复</translation></message>
    <message><source>what is started from, to other machines</source><translation>起始数据，发往其他机器</translation></message>
    <message><source>what is started from</source><translation>起始数据</translation></message>
    <message><source>a machine lacks what is started from</source><translation>某台机器缺少起始数据</translation></message>
    <message><source>what is started from is on all machines</source><translation>所有机器上都有起始数据</translation></message>
    <message><source>{}: what is started from cannot be written here: make room on the disk</source><translation>{}：起始数据无法写入此处：请腾出磁盘空间</translation></message>
    <message><source>another machine could not write what is started from: its log says why</source><translation>另一台机器无法写入起始数据：原因见其日志</translation></message>
    <message><source>all have loaded what is started from</source><translation>所有 rank 都已加载起始数据</translation></message>
    <message><source>process {} cannot be started: {}</source><translation>无法启动进程 {}：{}</translation></message>
    <message><source>{} is started by trainyard-worker generate alone</source><translation>{} 只能由 trainyard-worker generate 启动</translation></message>
    <message><source>model loaded</source><translation>模型已加载</translation></message>
    <message><source>text continues</source><translation>文本继续</translation></message>
    <message><source>no socket for the agent: {}</source><translation>无法为代理创建套接字：{}</translation></message>
    <message><source>no agent is used (IdentityAgent none)</source><translation>不使用代理：IdentityAgent 为 none</translation></message>
    <message><source>there is no agent: SSH_AUTH_SOCK is not set</source><translation>没有代理：未设置 SSH_AUTH_SOCK</translation></message>
    <message><source>the agent&apos;s socket {} has too long a path</source><translation>代理套接字 {} 的路径过长</translation></message>
    <message><source>the agent at {} does not answer: {}</source><translation>{} 处的代理没有响应：{}</translation></message>
    <message><source>the agent at {} does not list its keys: is it locked?</source><translation>{} 处的代理没有给出其密钥列表：它被锁定了吗？</translation></message>
    <message><source>nothing (the server asks for nothing)</source><translation>无（服务器不要求任何验证）</translation></message>
    <message><source>the server accepts: {}</source><translation>服务器接受：{}</translation></message>
    <message><source>one method was accepted, the server requires another one</source><translation>一种方式已被接受，服务器还要求另一种</translation></message>
    <message><source>{}: the server did not answer within {} while logging in</source><translation>{}：登录时服务器在 {} 内没有响应</translation></message>
    <message><source>{}: the server closed the connection after too many attempts to log in as &apos;{}&apos; ({}): name the correct key with IdentityFile and IdentitiesOnly yes in {}</source><translation>{}：以 &apos;{}&apos; 登录的尝试次数过多，服务器已断开连接（{}）：请在 {} 中用 IdentityFile 和 IdentitiesOnly yes 指定唯一正确的密钥</translation></message>
    <message><source>the server closed the connection: too many attempts</source><translation>服务器已断开连接：尝试次数过多</translation></message>
    <message><source>logging in ended: {}</source><translation>登录中断：{}</translation></message>
    <message><source>{}: login as &apos;{}&apos; was denied. The server accepts {}; {}</source><translation>{}：&apos;{}&apos; 未获准登录。服务器接受 {}；{}</translation></message>
    <message><source>no matching credentials were available</source><translation>没有可提供的此类凭据</translation></message>
    <message><source>it refused {}</source><translation>它拒绝了 {}</translation></message>
    <message><source>The password could not be requested</source><translation>无法向任何人询问密码</translation></message>
    <message><source>{}: put a public key of yours into ~/.ssh/authorized_keys of that account, or check the user&apos;s name</source><translation>{}：请将自己的公钥加入该账户的 ~/.ssh/authorized_keys，或检查用户名</translation></message>
    <message><source>public keys</source><translation>公钥</translation></message>
    <message><source>Kerberos (not supported here)</source><translation>Kerberos（此处不支持）</translation></message>
    <message><source>host-based (not supported here)</source><translation>基于主机的验证（此处不支持）</translation></message>
    <message><source>nothing we know</source><translation>没有已知的方式</translation></message>
    <message><source>{}: taken</source><translation>{}：已接受</translation></message>
    <message><source>{}: accepted, more methods are required</source><translation>{}：已接受，还需要其他验证</translation></message>
    <message><source>{}: refused</source><translation>{}：被拒绝</translation></message>
    <message><source>it is not there</source><translation>不存在</translation></message>
    <message><source>The key {} is not used: {}</source><translation>未使用密钥 {}：{}</translation></message>
    <message><source>touch your security key ({})</source><translation>请触摸安全密钥（{}）</translation></message>
    <message><source>agent: {} {}</source><translation>代理：{} {}</translation></message>
    <message><source>key: {}</source><translation>密钥：{}</translation></message>
    <message><source>keys of type {} are not supported from a file: use ssh-agent</source><translation>不支持从文件使用 {} 类型的密钥：请使用 ssh-agent</translation></message>
    <message><source>key: {} with its certificate</source><translation>密钥：{} 及其证书</translation></message>
    <message><source>its format cannot be read</source><translation>其格式无法读取</translation></message>
    <message><source>its passphrase could not be requested: ssh-add {}</source><translation>无人可输入其密码短语：ssh-add {}</translation></message>
    <message><source>the passphrase was wrong three times</source><translation>密码短语三次错误</translation></message>
    <message><source>passwords in memory are not locked ({}), so the system may write them to swap: raise the limit on locked memory (ulimit -l)</source><translation>内存中的密码未被锁定（{}），系统可能会将其写入交换空间：请提高锁定内存的上限（ulimit -l）</translation></message>
    <message><source>{}: cancelled</source><translation>{}：已取消</translation></message>
    <message><source>the {} was not saved: {}</source><translation>未保存 {}：{}</translation></message>
    <message><source>the password of the key ring</source><translation>密钥环中的密码</translation></message>
    <message><source>logged in as {} by {}</source><translation>已以 {} 登录，方式：{}</translation></message>
    <message><source>libcrypto cannot compute SHA-256 here</source><translation>此处的 libcrypto 无法计算 SHA-256</translation></message>
    <message><source>{} is not there: hosts need it beside this program</source><translation>{} 不存在：主机需要它与本程序位于同一处</translation></message>
    <message><source>{} needs {}, which is not on this machine</source><translation>{} 需要 {}，而本机上没有</translation></message>
    <message><source>{} needs {}, which is not on this machine: it is not copied to hosts</source><translation>{} 需要 {}，而本机上没有：主机上将不使用它</translation></message>
    <message><source>{} could not be queried: {} ({})</source><translation>无法查询 {} 的配置：{}（{}）</translation></message>
    <message><source>{} has an {} processor, this Trainyard is built for {}: build Trainyard there and name it as the host&apos;s engine</source><translation>{} 的处理器为 {}，此 Trainyard 为 {} 构建：请在那里构建 Trainyard，并将其指定为该主机的引擎</translation></message>
    <message><source>{} has no glibc (a musl system?), this Trainyard needs glibc {} or newer: build Trainyard there and name it as the host&apos;s engine</source><translation>{} 没有 glibc（是 musl 系统吗？），此 Trainyard 需要 glibc {} 或更高版本：请在那里构建 Trainyard，并将其指定为该主机的引擎</translation></message>
    <message><source>{} has glibc {}, this Trainyard needs {} or newer: build Trainyard on a system as old as that of {}, or build it there and name it as the host&apos;s engine</source><translation>{} 的 glibc 为 {}，此 Trainyard 需要 {} 或更高版本：请在与 {} 同样旧的系统上构建 Trainyard，或在那里构建并将其指定为该主机的引擎</translation></message>
    <message><source>{} has {} free for {}, the engine needs {}: make room there, or set XDG_CACHE_HOME in the host&apos;s environment</source><translation>{0} 上可用于 {2} 的空间为 {1}，引擎需要 {3}：请在那里腾出空间，或在主机的环境变量中设置 XDG_CACHE_HOME</translation></message>
    <message><source>{} has no program for SHA-256 (sha256sum, shasum or openssl): install its coreutils</source><translation>{} 没有计算 SHA-256 的程序（sha256sum、shasum 或 openssl）：请在那里安装 coreutils</translation></message>
    <message><source>the engine could not be put into {} on {}: {}</source><translation>无法将引擎放入 {1} 上的 {0}：{2}</translation></message>
    <message><source>{} files of the engine arrived damaged on {} twice: look at its disk</source><translation>引擎的 {} 个文件两次传到 {} 后均已损坏：请检查其磁盘</translation></message>
    <message><source>{}: the server did not open a channel within {}</source><translation>{}：服务器在 {} 内没有打开通道</translation></message>
    <message><source>{}: the server lets no command run: {}: are there too many sessions over one connection (MaxSessions)?</source><translation>{}：服务器不允许运行命令：{}：同一连接上的会话是否过多（MaxSessions）？</translation></message>
    <message><source>{}: the server did not start a command within {}</source><translation>{}：服务器在 {} 内没有启动命令</translation></message>
    <message><source>{}: its SSH server offers no file transfer: sshd_config needs &apos;Subsystem sftp internal-sftp&apos;</source><translation>{}：其 SSH 服务器不提供文件传输：sshd_config 中需要 &apos;Subsystem sftp internal-sftp&apos;</translation></message>
    <message><source>{}: the server refuses to run commands for &apos;{}&apos;</source><translation>{}：服务器拒绝为 &apos;{}&apos; 运行命令</translation></message>
    <message><source>{}: a command printed more than 64 MB</source><translation>{}：某个命令的输出超过 64 MB</translation></message>
    <message><source>{}: a command did not end within {}</source><translation>{}：某个命令在 {} 内没有结束</translation></message>
    <message><source>checkpoint.resume_from: {} is a folder of this machine and cannot be copied to {}: {}: bring it to the same path there, or name a checkpoint that all hosts have</source><translation>checkpoint.resume_from：{} 是本机上的文件夹，无法复制到 {}：{}：请将其放到那里的相同路径下，或指定所有主机都有的 checkpoint</translation></message>
    <message><source>it has {}, and {} are free there</source><translation>其大小为 {}，那里可用 {}</translation></message>
    <message><source>{}: the name service did not answer for &apos;{}&apos; within {}: is the network up?</source><translation>{0}：名称服务在 {2} 内没有响应对 &apos;{1}&apos; 的查询：网络是否可用？</translation></message>
    <message><source>{}: the name service cannot look up &apos;{}&apos; at the moment: is the network up?</source><translation>{}：名称服务目前无法查询 &apos;{}&apos;：网络是否可用？</translation></message>
    <message><source>{}: there is no address for the name &apos;{}&apos;: is it spelled right, is it in ~/.ssh/config or DNS?</source><translation>{}：名称 &apos;{}&apos; 没有对应的地址：拼写是否正确，是否在 ~/.ssh/config 或 DNS 中？</translation></message>
    <message><source>{}: nothing listens on port {}: does sshd run there, and is the port right?</source><translation>{}：端口 {} 上没有服务在监听：那里是否运行着 sshd，端口是否正确？</translation></message>
    <message><source>{}: no answer within {}: is the host up, and does a firewall let port {} through?</source><translation>{}：{} 内没有响应：主机是否已开机，防火墙是否放行端口 {}？</translation></message>
    <message><source>{}: no route to the host ({}): is this machine in the right network or VPN?</source><translation>{}：网络中没有通往它的路由（{}）：本机是否在正确的网络或 VPN 中？</translation></message>
    <message><source>{}: it cannot be reached: {}</source><translation>{}：无法连接：{}</translation></message>
    <message><source>{}: BindAddress {} of ssh_config is not an address of this machine</source><translation>{}：ssh_config 中的 BindAddress {} 不是本机的地址</translation></message>
    <message><source>connect to {} port {}: {}</source><translation>连接到 {} 端口 {}：{}</translation></message>
    <message><source>connected</source><translation>已连接</translation></message>
    <message><source>the ProxyCommand &apos;{}&apos; ended with exit status {}</source><translation>ProxyCommand &apos;{}&apos; 已结束，退出状态 {}</translation></message>
    <message><source>the ProxyCommand &apos;{}&apos; ended</source><translation>ProxyCommand &apos;{}&apos; 已结束</translation></message>
    <message><source>{}: no socket for its ProxyCommand: {}</source><translation>{}：无法为其 ProxyCommand 创建套接字：{}</translation></message>
    <message><source>{}: its ProxyCommand &apos;{}&apos; cannot be started: {}</source><translation>{}：无法启动其 ProxyCommand &apos;{}&apos;：{}</translation></message>
    <message><source>ProxyCommand {} started</source><translation>ProxyCommand {} 已启动</translation></message>
    <message><source>{} is no 64-bit ELF file, or is damaged</source><translation>{} 不是 64 位 ELF 文件，或已损坏</translation></message>
    <message><source>ELF machine {}</source><translation>ELF 机器类型 {}</translation></message>
    <message><source>{} more problems like these</source><translation>还有 {} 个类似的问题</translation></message>
    <message><source>{}: files are left out whose names contain control characters or are not UTF-8: {}</source><translation>{}：名称包含控制字符或不是 UTF-8 的文件已被略去：{}</translation></message>
    <message><source>{} is not looked into: it is more than {} folders deep</source><translation>未查看 {}：它的层级超过 {} 层文件夹</translation></message>
    <message><source>{} is left out: its path is too long</source><translation>已略过 {}：其路径过长</translation></message>
    <message><source>{} is limited to {} MB of file names</source><translation>{} 的文件名总量限制为 {} MB</translation></message>
    <message><source>nvidia-smi did not answer within 4 s: the driver hangs</source><translation>nvidia-smi 在 4 s 内没有响应：驱动程序已挂起</translation></message>
    <message><source>nvidia-smi failed without a word</source><translation>nvidia-smi 失败，没有给出消息</translation></message>
    <message><source>{} did not say what it has: the answer of its shell was cut short</source><translation>{} 没有给出其配置：其 shell 的响应被截断</translation></message>
    <message><source>this machine cannot be asked: /bin/sh could not be started</source><translation>无法查询本机：无法启动 /bin/sh</translation></message>
    <message><source>this machine did not say what it has within 20 s: `df` or `nvidia-smi` hangs</source><translation>本机在 20 s 内没有给出其配置：`df` 或 `nvidia-smi` 已挂起</translation></message>
    <message><source>this machine</source><translation>本机</translation></message>
    <message><source>{} answered with a line of more than 8 MB</source><translation>{} 的应答中有一行超过 8 MB</translation></message>
    <message><source>`trainyard probe` ended on {} before it answered</source><translation>{} 上的 `trainyard probe` 在响应之前已结束</translation></message>
    <message><source>{} did not answer for {} s</source><translation>{} 已有 {} s 没有响应</translation></message>
    <message><source>{}: the key is not remembered, as {} says something else about this host: when the new key is right, take that line out first</source><translation>{}：未记住该密钥，因为 {} 中关于此主机的记录不同：如果新密钥正确，请先删除那一行</translation></message>
    <message><source>{} could not be started</source><translation>无法启动 {}</translation></message>
    <message><source>the program on this machine ended</source><translation>本机上的程序已结束</translation></message>
    <message><source>{} took too long on this machine</source><translation>{} 在本机上耗时过长</translation></message>
    <message><source>a table with the key &apos;hosts&apos; was expected, not {}</source><translation>应为含有键 &apos;hosts&apos; 的表，而不是 {}</translation></message>
    <message><source>a list of hosts was expected, not {}</source><translation>应为主机列表，而不是 {}</translation></message>
    <message><source>a text was expected, not {}</source><translation>应为文本，而不是 {}</translation></message>
    <message><source>a table with the key &apos;name&apos; was expected, not {}</source><translation>应为含有键 &apos;name&apos; 的表，而不是 {}</translation></message>
    <message><source>the host &apos;{}&apos; is there twice</source><translation>主机 &apos;{}&apos; 出现了两次</translation></message>
    <message><source>a whole number was expected, not {}</source><translation>应为整数，而不是 {}</translation></message>
    <message><source>true or false was expected, not {}</source><translation>应为 true 或 false，而不是 {}</translation></message>
    <message><source>a table of variables was expected, not {}</source><translation>应为变量表，而不是 {}</translation></message>
    <message><source>a host needs a name</source><translation>主机需要名称</translation></message>
    <message><source>host {}: the name has blanks, slashes, quotes, `@`, `,`, wildcards or characters that a shell interprets in it, or begins with a dash</source><translation>主机 {}：名称中含有空格、斜杠、引号、`@`、`,`、通配符或会被 shell 解释的字符，或以短横线开头</translation></message>
    <message><source>host {}: a port is a number from 1 to 65535, not {}</source><translation>主机 {}：端口须为 1 到 65535 的数字，而不是 {}</translation></message>
    <message><source>host {}: &apos;{}&apos; is not a valid user name</source><translation>主机 {}：&apos;{}&apos; 不是有效的用户名</translation></message>
    <message><source>host {}: {}</source><translation>主机 {}：{}</translation></message>
    <message><source>host {}: {} has line ends or control letters in it</source><translation>主机 {}：{} 包含换行符或控制字符</translation></message>
    <message><source>host {}: {} has to begin with / or ~/, as it means a place on the host</source><translation>主机 {}：{} 须以 / 或 ~/ 开头，因为它表示主机上的位置</translation></message>
    <message><source>host {}: max_gpus is a number from 0 to 1024, not {}</source><translation>主机 {}：max_gpus 须为 0 到 1024 的数字，而不是 {}</translation></message>
    <message><source>host {}: &apos;{}&apos; cannot be the name of an environment variable</source><translation>主机 {}：&apos;{}&apos; 不能作为环境变量的名称</translation></message>
    <message><source>host {}: the value of {} has a NUL byte in it</source><translation>主机 {}：{} 的值包含 NUL 字节</translation></message>
    <message><source>host {}: {} is a whole number, not &apos;{}&apos;</source><translation>主机 {}：{} 须为整数，而不是 &apos;{}&apos;</translation></message>
    <message><source>host {}: use is true or false, not &apos;{}&apos;</source><translation>主机 {}：use 须为 true 或 false，而不是 &apos;{}&apos;</translation></message>
    <message><source>host {}: unknown key &apos;{}&apos;{}</source><translation>主机 {}：未知的键 &apos;{}&apos;{}</translation></message>
    <message><source>{} has been changed by another program meanwhile: nothing was saved, try again</source><translation>{} 已被其他程序更改：未保存任何内容，请重试</translation></message>
    <message><source>it is not a regular file</source><translation>不是文件</translation></message>
    <message><source>other users can read it: chmod 600 {}</source><translation>其他用户可以读取它：chmod 600 {}</translation></message>
    <message><source>it is not a private key</source><translation>不是私钥</translation></message>
    <message><source>{}: this jump host does not connect us to {}: its sshd_config has to allow TCP forwarding (AllowTcpForwarding, PermitOpen)</source><translation>{}：此跳板机未转接到 {}：其 sshd_config 须允许 TCP 转发（AllowTcpForwarding、PermitOpen）</translation></message>
    <message><source>{}: nothing listens on port {}, as seen from the jump host {}</source><translation>{}：从跳板机 {2} 来看，端口 {1} 上没有服务在监听</translation></message>
    <message><source>timed out</source><translation>timed out</translation></message>
    <message><source>{}: no answer, as seen from the jump host {}</source><translation>{}：从跳板机 {} 来看，没有响应</translation></message>
    <message><source>{}: no route to the host, as seen from the jump host {}</source><translation>{}：从跳板机 {} 来看，网络中没有到它的路由</translation></message>
    <message><source>Name or service</source><translation>Name or service</translation></message>
    <message><source>Unknown host</source><translation>Unknown host</translation></message>
    <message><source>not known</source><translation>未知</translation></message>
    <message><source>name resolution</source><translation>name resolution</translation></message>
    <message><source>{}: there is no address for the name &apos;{}&apos;, as seen from the jump host {}</source><translation>{}：从跳板机 {2} 来看，名称 &apos;{1}&apos; 没有对应的地址</translation></message>
    <message><source>{}: it cannot be reached, as seen from the jump host {}: {}</source><translation>{}：从跳板机 {} 来看，无法连接：{}</translation></message>
    <message><source>{}: no socket for its jump host: {}</source><translation>{}：无法为其跳板机创建套接字：{}</translation></message>
    <message><source>{}: no answer within {}, as seen from the jump host {}: is the host up?</source><translation>{0}：从跳板机 {2} 来看，{1} 内没有响应：主机是否已开机？</translation></message>
    <message><source>there is no key ring: no desktop session is under way (DBUS_SESSION_BUS_ADDRESS is not set)</source><translation>没有密钥环：没有正在运行的桌面会话（未设置 DBUS_SESSION_BUS_ADDRESS）</translation></message>
    <message><source>there is no key ring: libsecret is not installed (Debian: libsecret-1-0)</source><translation>没有密钥环：未安装 libsecret（Debian：libsecret-1-0）</translation></message>
    <message><source>the key ring cannot be used: libsecret has no {}</source><translation>无法使用密钥环：libsecret 没有 {}</translation></message>
    <message><source>it did not say why</source><translation>它没有说明原因</translation></message>
    <message><source>the key ring does not answer: {}</source><translation>密钥环没有响应：{}</translation></message>
    <message><source>the key ring did not keep it: {}</source><translation>密钥环未能保存：{}</translation></message>
    <message><source>{} is a key revocation list that ssh-keygen did not read</source><translation>{} 是 ssh-keygen 未能读取的密钥吊销列表</translation></message>
    <message><source>{} is a key revocation list that ssh-keygen did not read: {}</source><translation>{} 是 ssh-keygen 未能读取的密钥吊销列表：{}</translation></message>
    <message><source>{}:{} is not a public key</source><translation>{}:{} 不是公钥</translation></message>
    <message><source>the system gives no random numbers, which hashed names of known_hosts need</source><translation>系统未提供随机数，而 known_hosts 的哈希名称需要随机数</translation></message>
    <message><source>the order of a launch</source><translation>启动的指令</translation></message>
    <message><source>has {} {}, the launching machine has {}: install the same version on both, or leave out the host&apos;s engine so that ours is brought along</source><translation>装有 {} {}，而发起启动的机器装有 {}：请在两边安装相同版本，或不指定主机的引擎，以便随附我们的引擎</translation></message>
    <message><source>the host&apos;s answer</source><translation>主机的响应</translation></message>
    <message><source>cannot make an event descriptor: {}</source><translation>无法创建事件描述符：{}</translation></message>
    <message><source>the peer closed it</source><translation>对方已将其关闭</translation></message>
    <message><source>connection lost: {}</source><translation>连接已中断：{}</translation></message>
    <message><source>{}: the connection is lost: {}</source><translation>{}：连接已中断：{}</translation></message>
    <message><source>nothing was heard for {}</source><translation>已有 {} 没有收到消息</translation></message>
    <message><source>{}: these settings cannot be used: {}</source><translation>{}：这些设置无法使用：{}</translation></message>
    <message><source>{} &apos;{}&apos; of ssh_config is not followed: {}</source><translation>未采用 ssh_config 中的 {} &apos;{}&apos;：{}</translation></message>
    <message><source>{}: RequiredRSASize {} of ssh_config cannot be used: {}</source><translation>{}：无法使用 ssh_config 的 RequiredRSASize {}：{}</translation></message>
    <message><source>{}: no answer from its SSH server within {}: the connection was accepted, but the SSH handshake did not finish in time</source><translation>{}：其 SSH 服务器在 {} 内没有响应：连接已被接受，但其后没有服务及时以 SSH 应答</translation></message>
    <message><source>no key exchange: {}</source><translation>未完成密钥交换：{}</translation></message>
    <message><source>{}: the connection was closed before an SSH banner was received: is the port right, and does the server accept connections from this machine?</source><translation>{}：对方在表明使用 SSH 之前已断开连接：端口是否正确，服务器是否允许本机连接？</translation></message>
    <message><source>{}: the server closed the connection during the key exchange: {}</source><translation>{}：服务器在密钥交换期间断开了连接：{}</translation></message>
    <message><source>{}: the host did not answer as an SSH server: {}</source><translation>{}：无法与那里的响应方建立 SSH 连接：{}</translation></message>
    <message><source>server: {}</source><translation>服务器：{}</translation></message>
    <message><source>key exchange: {}, {}</source><translation>密钥交换：{}，{}</translation></message>
    <message><source>did not end within {}</source><translation>未在 {} 内结束</translation></message>
    <message><source>cannot be started</source><translation>无法启动</translation></message>
    <message><source>ended with an error</source><translation>因错误而结束</translation></message>
    <message><source>{}: the KnownHostsCommand &apos;{}&apos; of ssh_config {}, and without it host keys cannot be checked</source><translation>{}：ssh_config 的 KnownHostsCommand &apos;{}&apos; {}，没有它就无法检查主机密钥</translation></message>
    <message><source>KnownHostsCommand {} was asked for {}</source><translation>已向 KnownHostsCommand {} 查询 {}</translation></message>
    <message><source>{}: the server showed no host key</source><translation>{}：服务器没有出示 host key</translation></message>
    <message><source>{}: the server&apos;s host key cannot be read</source><translation>{}：无法读取服务器的 host key</translation></message>
    <message><source>{} key {}</source><translation>{} 密钥 {}</translation></message>
    <message><source>host key: {}</source><translation>host key：{}</translation></message>
    <message><source>{}: RevokedHostKeys of ssh_config cannot be used, so no host key is accepted: {}: repair or create the file, or remove the line from ssh_config</source><translation>{}：无法使用 ssh_config 的 RevokedHostKeys，因此不接受任何主机密钥：{}：请修复或创建该文件，或从 ssh_config 中删除该行</translation></message>
    <message><source>host key is known: {}</source><translation>host key 已知：{}</translation></message>
    <message><source>{}: its host key is revoked in {} ({}): the key must not be trusted, so no connection is made</source><translation>{}：其 host key 已在 {} 中被吊销（{}）：该记录表明此密钥不再可信，因此不建立连接</translation></message>
    <message><source>{}: THE HOST KEY HAS CHANGED. The server now shows the {}, but {} has {}. The host may have been reinstalled, or an attacker may be intercepting the connection. Ask the administrator of the host; if the new key is right, remove the old line</source><translation>{}：HOST KEY 已更改。服务器现在出示的是 {}，而 {} 中记录的是 {}：要么主机已重新安装，要么有人在窃听。请询问主机的管理员；如果新密钥正确，请删除旧的那一行</translation></message>
    <message><source>host key is accepted this time only</source><translation>仅此一次接受该 host key</translation></message>
    <message><source>{}: its host key is not known yet: {}. Compare it with the fingerprint from the host&apos;s administrator, then trust it.</source><translation>{}：其 host key 尚未知晓：{}。请与主机管理员提供的信息核对，然后再信任。</translation></message>
    <message><source>{}: THE HOST SHOWS A KEY OF ANOTHER TYPE. {} has its {} key, which was requested, but the server shows the {}. The old key may have been removed there, or an attacker may be intercepting the connection. Ask the administrator of the host before you trust it.</source><translation>{}：主机出示了另一种类型的密钥。{} 中有其 {} 密钥，请求的也是该密钥，而服务器出示的是 {}：要么旧密钥已在那里删除，要么有人在窃听。请先询问主机的管理员，再决定是否信任。</translation></message>
    <message><source>A certificate authority is named for it, but host certificates are not supported.</source><translation>已为其指定证书颁发机构，但不支持主机证书。</translation></message>
    <message><source>{} of {} files are not copied: the newest {} are</source><translation>{1} 个文件中有 {0} 个未复制：只复制最新的 {2} 个</translation></message>
    <message><source>the copy of {}</source><translation>{} 的副本</translation></message>
    <message><source>{} more files cannot be read</source><translation>还有 {} 个文件无法读取</translation></message>
    <message><source>the copy is limited to {} and {} files and folders: what exceeds that stays on the host</source><translation>副本限制为 {} 以及 {} 个文件和文件夹：超出的部分留在主机上</translation></message>
    <message><source>{} is a symbolic link: a copy of a run has none, remove it</source><translation>{} 是符号链接：运行的副本中没有符号链接，请将其删除</translation></message>
    <message><source>{} is there already and is not the copy of {}: move it away, or attach with another $TRAINYARD_RUNS</source><translation>{} 已存在，且不是 {} 的副本：请将其移走，或使用另一个 $TRAINYARD_RUNS 附加</translation></message>
    <message><source>{} is not a copy of a run on another machine that this account made: `trainyard runs attach HOST:/FOLDER` makes one</source><translation>{} 不是此账户创建的其他机器上运行的副本：`trainyard runs attach HOST:/FOLDER` 可以创建副本</translation></message>
    <message><source>{}. Passwords are not stored after the login: trainyard runs attach {}:{} asks for them again</source><translation>{}。登录后不保存密码：trainyard runs attach {}:{} 会再次询问</translation></message>
    <message><source>the copy of the run could not be kept current: {}</source><translation>无法使运行的副本保持最新：{}</translation></message>
    <message><source>{} could not list its runs: {}</source><translation>{} 无法列出其运行：{}</translation></message>
    <message><source>{} did not answer with a list of its runs</source><translation>{} 没有返回其运行列表</translation></message>
    <message><source>the runs of {}</source><translation>{} 的运行列表</translation></message>
    <message><source>{} is not the copy of a run on another machine: its checkpoints are here</source><translation>{} 不是其他机器上某个运行的副本：其 checkpoint 就在此处</translation></message>
    <message><source>{} was not copied by this account: `trainyard runs attach {}:{}` continues the copy</source><translation>{} 不是由此账户复制的：`trainyard runs attach {}:{}` 可继续复制</translation></message>
    <message><source>run {} on {} has no checkpoint yet</source><translation>{1} 上的运行 {0} 还没有 checkpoint</translation></message>
    <message><source>the list of checkpoints of {}:{}</source><translation>{}:{} 的检查点列表</translation></message>
    <message><source>run {} on {} has no whole checkpoint &apos;{}&apos;: it has {}</source><translation>{1} 上的运行 {0} 没有完好的 checkpoint &apos;{2}&apos;：它有 {3}</translation></message>
    <message><source>{}: {} cannot be copied whole: {}</source><translation>{}：{} 无法完整复制：{}</translation></message>
    <message><source>the copy of {}:{}</source><translation>{}:{} 的副本</translation></message>
    <message><source>cannot rename {}</source><translation>无法重命名 {}</translation></message>
    <message><source>the host sent a file that does not belong to a run&apos;s folder: &apos;{}&apos;</source><translation>主机发送了不属于运行文件夹的文件：“{}”</translation></message>
    <message><source>TRAINYARD_MIRROR_LIMIT is &apos;{}&apos;: it must be a number of bytes</source><translation>TRAINYARD_MIRROR_LIMIT 为“{}”：必须是字节数</translation></message>
    <message><source>the copy of run {}</source><translation>运行 {} 的副本</translation></message>
    <message><source>the host sent a mark of a file that is too long</source><translation>主机发送的文件标识过长</translation></message>
    <message><source>the host moved a file that is not here: {}</source><translation>主机移动了此处不存在的文件：{}</translation></message>
    <message><source>the host sent a part of {} that does not follow on what is here</source><translation>主机发送的 {} 的部分与此处已有内容不衔接</translation></message>
    <message><source>{} was changed by another program</source><translation>{} 已被其他程序更改</translation></message>
    <message><source>the host sent a message that is too long</source><translation>主机发送的消息过长</translation></message>
    <message><source>what the host sent</source><translation>主机发送的内容</translation></message>
    <message><source>the connection ended</source><translation>连接已结束</translation></message>
    <message><source>what the host said</source><translation>主机给出的内容</translation></message>
    <message><source>the host&apos;s Trainyard speaks another version: install the same version on both</source><translation>主机上的 Trainyard 使用另一个版本的协议：请在两端安装相同的版本</translation></message>
    <message><source>{} is gone</source><translation>{} 已不存在</translation></message>
    <message><source>nothing was heard for {} s</source><translation>已有 {} s 没有收到消息</translation></message>
    <message><source>ssh -G did not answer within 10 s</source><translation>ssh -G 在 10 s 内没有响应</translation></message>
    <message><source>ssh -G failed: {}</source><translation>ssh -G 失败：{}</translation></message>
    <message><source>{} does not answer</source><translation>{} 没有响应</translation></message>
    <message><source>can be written</source><translation>可写</translation></message>
    <message><source>new, can be written</source><translation>新建，可写</translation></message>
    <message><source>{} is not a folder</source><translation>{} 不是文件夹</translation></message>
    <message><source>choose another folder for runs</source><translation>请为运行选择其他文件夹</translation></message>
    <message><source>{} cannot be written: {}</source><translation>{} 不可写：{}</translation></message>
    <message><source>choose another folder for runs, or change its rights</source><translation>请为运行选择其他文件夹，或更改其权限</translation></message>
    <message><source>the free space of {} is not known: {}</source><translation>{} 的剩余空间未知：{}</translation></message>
    <message><source>make sure that checkpoints fit</source><translation>请确保放得下 checkpoint</translation></message>
    <message><source>{} free, needs {}</source><translation>可用 {}，需要 {}</translation></message>
    <message><source>the disk of {} is too full: {}</source><translation>{} 所在磁盘空间不足：{}</translation></message>
    <message><source>make room, or choose another folder for runs</source><translation>请腾出空间，或为运行选择其他文件夹</translation></message>
    <message><source>{} of {} free</source><translation>{}（可用 {}）</translation></message>
    <message><source>use a smaller micro-batch with more accumulation, or fewer ranks</source><translation>请减小 micro-batch 并增加累积，或减少 rank 数</translation></message>
    <message><source>needs about {}, the machine has {}</source><translation>约需 {}，机器有 {}</translation></message>
    <message><source>about {}: the machine may swap or end the run</source><translation>约 {}：机器可能使用交换空间或终止此运行</translation></message>
    <message><source>a free port is used</source><translation>使用空闲端口</translation></message>
    <message><source>{} is free</source><translation>{} 空闲</translation></message>
    <message><source>use port 0 to get a free one</source><translation>请使用端口 0：届时会找到空闲端口</translation></message>
    <message><source>port {}: {}</source><translation>端口 {}：{}</translation></message>
    <message><source>stop the program that uses it, or use port 0 to get a free one</source><translation>请结束占用它的程序，或使用端口 0：届时会找到空闲端口</translation></message>
    <message><source>readable</source><translation>可读</translation></message>
    <message><source>correct {} in the recipe</source><translation>请在配方中修正 {}</translation></message>
    <message><source>needs: {}</source><translation>需要：{}</translation></message>
    <message><source>waits for: {}</source><translation>等待：{}</translation></message>
    <message><source>{} was not found</source><translation>找不到 {}</translation></message>
    <message><source>check its name, or give its path</source><translation>请检查其名称，或给出其路径</translation></message>
    <message><source>{} cannot be run</source><translation>无法运行 {}</translation></message>
    <message><source>install Python, or name one in TRAINYARD_PYTHON</source><translation>请安装 Python，或在 TRAINYARD_PYTHON 中指定</translation></message>
    <message><source>torch cannot be imported by {}</source><translation>{} 无法导入 torch</translation></message>
    <message><source>choose the script again, or copy it there</source><translation>请重新选择脚本，或将其复制到那里</translation></message>
    <message><source>build it again, or name it in TRAINYARD_WORKER</source><translation>请重新构建，或在 TRAINYARD_WORKER 中指定</translation></message>
    <message><source>an argument for a remote command has a NUL byte in it, which no command line can hold</source><translation>远程命令的某个参数包含 NUL 字节，而命令行无法包含该字节</translation></message>
    <message><source>a remote command has no program</source><translation>远程命令中没有程序</translation></message>
    <message><source>&apos;{}&apos; cannot be the name of an environment variable on a host</source><translation>&apos;{}&apos; 不能作为主机上环境变量的名称</translation></message>
    <message><source>{} has no Trainyard yet: `trainyard launch --check --hosts` brings it, and looks at this too</source><translation>{} 上还没有 Trainyard：`trainyard launch --check --hosts` 会将其带去，并同时检查此项</translation></message>
    <message><source>it was cancelled</source><translation>已取消</translation></message>
    <message><source>{}:{} does not exist: name the folder of a checkpoint, or a file of weights</source><translation>{}:{} 不存在：请指定 checkpoint 文件夹或权重文件</translation></message>
    <message><source>{}:{} has a name that is not allowed for files on this machine</source><translation>{}:{} 的名称无法用作此处的文件名</translation></message>
    <message><source>the headers of {}</source><translation>{} 的文件头</translation></message>
    <message><source>{}/{} became shorter while it was read</source><translation>{}/{} 在读取过程中变短了</translation></message>
    <message><source>the run is on the processor</source><translation>此运行在 CPU 上</translation></message>
    <message><source>{} has no NVIDIA driver</source><translation>{} 没有 NVIDIA 驱动程序</translation></message>
    <message><source>{} has no NVIDIA driver: {}</source><translation>{} 没有 NVIDIA 驱动程序：{}</translation></message>
    <message><source>install one of series 580 or newer, or run on the processor</source><translation>请安装 580 系列或更新的驱动程序，或在 CPU 上运行</translation></message>
    <message><source>the driver {} of {} knows CUDA up to {}, the engine needs {}</source><translation>{1} 的驱动程序 {0} 最高支持 CUDA {2}，引擎需要 {3}</translation></message>
    <message><source>install a driver of series {} or newer</source><translation>请安装 {} 系列或更新的驱动程序</translation></message>
    <message><source>{}, CUDA {}</source><translation>{}，CUDA {}</translation></message>
    <message><source>GPU {} is in use by {} (pid {}, {}, {}, for {})</source><translation>GPU {} 正被 {} 使用（pid {}，{}，{}，已 {}）</translation></message>
    <message><source>GPU {} is in use by {} (pid {}, {}, {})</source><translation>GPU {} 正被 {} 使用（pid {}，{}，{}）</translation></message>
    <message><source>{} has 1 GPU for {} ranks</source><translation>{} 有 1 个 GPU，却有 {} 个 rank</translation></message>
    <message><source>{} has {} GPUs for {} ranks</source><translation>{} 有 {} 个 GPU，却有 {} 个 rank</translation></message>
    <message><source>give it fewer ranks</source><translation>请为其分配更少的 rank</translation></message>
    <message><source>{} of {} GPUs of {} are free: {}</source><translation>{2} 的 {1} 个 GPU 中有 {0} 个空闲：{3}</translation></message>
    <message><source>the queue only waits for runs of Trainyard, not for other programs</source><translation>队列会等待 Trainyard 的运行，但不等待其他程序</translation></message>
    <message><source>queue the run, end the program, or give the host fewer ranks</source><translation>请将运行排队、结束该程序，或为该主机分配更少的 rank</translation></message>
    <message><source>{} of {}</source><translation>{1} 的 {0}</translation></message>
    <message><source>the memory of its GPUs is not known</source><translation>其 GPU 的显存未知</translation></message>
    <message><source>a rank needs about {}, a GPU of {} has {}</source><translation>每个 rank 约需 {}，{} 的 GPU 有 {}</translation></message>
    <message><source>use a smaller micro-batch with more accumulation</source><translation>请减小 micro-batch 并增加累积</translation></message>
    <message><source>looking for the engine</source><translation>正在查找引擎</translation></message>
    <message><source>The engine that was copied to {} stays there for the next start ({}).</source><translation>已复制到 {} 的引擎会留在那里，供下次启动使用（{}）。</translation></message>
    <message><source>it is there</source><translation>已存在</translation></message>
    <message><source>{} copied</source><translation>已复制 {}</translation></message>
    <message><source>Parts of the engine may be left in the cache folder of {} ({}).</source><translation>引擎的部分文件可能留在 {} 的缓存文件夹中（{}）。</translation></message>
    <message><source>The checkpoint that was copied to {} stays there for the next start ({}).</source><translation>已复制到 {} 的 checkpoint 会留在那里，供下次启动使用（{}）。</translation></message>
    <message><source>Trainyard {}</source><translation>Trainyard {}</translation></message>
    <message><source>no Python script</source><translation>没有 Python 脚本</translation></message>
    <message><source>the clock of {} is {:.0f} s ahead of this machine&apos;s: times in its logs and events are off by that much</source><translation>{} 的时钟比本机快 {} s：其日志和事件中的时间有相应偏差</translation></message>
    <message><source>the clock of {} lags this machine&apos;s by {:.0f} s: times in its logs and events are off by that much</source><translation>{} 的时钟比本机慢 {} s：其日志和事件中的时间有相应偏差</translation></message>
    <message><source>within {:.3f} s</source><translation>误差不超过 {} s</translation></message>
    <message><source>synchronize it with a time server (timedatectl set-ntp true)</source><translation>请用时间服务器校准（timedatectl set-ntp true）</translation></message>
    <message><source>open the ports between the hosts, or run without one of them</source><translation>请开放主机之间的端口，或不使用其中一台主机运行</translation></message>
    <message><source>{} reached {} at {}, which is not one of its addresses</source><translation>{0} 在 {2} 处连接到了 {1}，但这不是后者的地址</translation></message>
    <message><source>look for address translation (NAT) between the hosts</source><translation>请检查主机之间是否有地址转换（NAT）</translation></message>
    <message><source>{} is reached at different addresses ({})</source><translation>访问 {} 所用的地址不一致（{}）</translation></message>
    <message><source>specify the address that all hosts can reach</source><translation>请指定所有主机都能访问的地址</translation></message>
    <message><source>at {}</source><translation>（位于 {}）</translation></message>
    <message><source>one host</source><translation>只有一台主机</translation></message>
    <message><source>waits until every host has been reached</source><translation>等待所有主机都连接上</translation></message>
    <message><source>the answer of {}</source><translation>{} 的响应</translation></message>
    <message><source>{} was asked to start the run {} and answered with another one, in {}: the host does not run this version of Trainyard, or is not to be trusted</source><translation>已要求 {} 启动运行 {}，但它返回了另一个运行，位于 {}：该主机运行的不是此版本的 Trainyard，或不可信任</translation></message>
    <message><source>the name of the recipe</source><translation>配方的名称</translation></message>
    <message><source>The connection to {} was lost while the run was starting ({}): look for it with `trainyard runs attach {}`.</source><translation>{} 在收到启动指令时失联（{}）：请用 `trainyard runs attach {}` 在那里查找此运行。</translation></message>
    <message><source>{} could not start the run: {}</source><translation>{} 无法启动此运行：{}</translation></message>
    <message><source>could not start its ranks: {}</source><translation>无法启动其 rank：{}</translation></message>
    <message><source>{} could not be cleaned up ({}): its ranks will exit on their own, but the folder of run {} may remain.</source><translation>无法清理 {}（{}）：其 rank 会自行结束，{} 的文件夹可能会留下。</translation></message>
    <message><source>the launch was cancelled: nothing was started</source><translation>启动已取消：未启动任何进程</translation></message>
    <message><source>waits for what failed before it</source><translation>等待之前失败的项目</translation></message>
    <message><source>the other end does not speak as `trainyard serve-run` does</source><translation>对方的协议与 `trainyard serve-run` 不符</translation></message>
    <message><source>what the mirror has</source><translation>副本已有的内容</translation></message>
    <message><source>a request of the mirror</source><translation>副本的请求</translation></message>
    <message><source>the run&apos;s folder {} is gone from {}</source><translation>{1} 上的运行文件夹 {0} 已不存在</translation></message>
    <message><source>{} on {} is not a run&apos;s folder any more</source><translation>{1} 上的 {0} 已不再是运行文件夹</translation></message>
    <message><source>standard input does not contain valid secrets</source><translation>标准输入传来的不是机密数据</translation></message>
    <message><source>{}: more than {} jump hosts are on the way: does a ProxyJump of ssh_config lead back to itself?</source><translation>{}：途中的跳板机超过 {} 台：ssh_config 中的某个 ProxyJump 是否指回了自身？</translation></message>
    <message><source>ended by signal {}</source><translation>因信号 {} 终止</translation></message>
    <message><source>ended without an exit status</source><translation>已结束，没有退出状态</translation></message>
    <message><source>exit status {}</source><translation>退出状态 {}</translation></message>
    <message><source>jump from {} to {} port {}</source><translation>从 {} 跳转到 {} 端口 {}</translation></message>
    <message><source>its restricted shell lets no commands run</source><translation>其受限 shell 不允许运行命令</translation></message>
    <message><source>runs no commands ({})</source><translation>不运行命令（{}）</translation></message>
    <message><source>no command can be run: {}</source><translation>无法运行任何命令：{}</translation></message>
    <message><source>{}: the account &apos;{}&apos; can log in, but {}: it needs a login shell, without a forced command</source><translation>{}：账户 &apos;{}&apos; 可以登录，但{}：它需要登录 shell，且不能有强制命令</translation></message>
    <message><source>{}: start-up files of the login shell print text (&quot;{}&quot;) before commands run, which garbles what programs say to each other: let ~/.bashrc (or what prints it) do so in interactive shells only</source><translation>{}：登录 shell 的启动文件在命令运行前输出了文本（&quot;{}&quot;），干扰了程序之间的通信：请让 ~/.bashrc（或输出该文本的程序）仅在交互式 shell 中输出</translation></message>
    <message><source>login shell: {}</source><translation>登录 shell：{}</translation></message>
    <message><source>login shell: {} (not a POSIX shell: commands go through /bin/sh)</source><translation>登录 shell：{}（不是 POSIX shell：命令通过 /bin/sh 运行）</translation></message>
    <message><source>{}: the transfer was cancelled</source><translation>{}：传输已取消</translation></message>
    <message><source>cannot get the attributes of {}</source><translation>无法查看 {}</translation></message>
    <message><source>no space</source><translation>空间不足</translation></message>
    <message><source>{}: {} became shorter while it was read</source><translation>{}：{} 在读取时变短了</translation></message>
    <message><source>{}: {} is too large to be read whole</source><translation>{}：{} 过大，无法完整读取</translation></message>
    <message><source>the list of {}:{}</source><translation>{}:{} 的列表</translation></message>
    <message><source>{}: the SFTP server repeatedly sent empty listings</source><translation>{}：SFTP 服务器反复返回空列表</translation></message>
    <message><source>the server sent an answer of another kind</source><translation>服务器发送了其他类型的应答</translation></message>
    <message><source>{}: the SFTP server greets a second time</source><translation>{}：SFTP 服务器再次发送了问候</translation></message>
    <message><source>{}: the SFTP server names too many extensions</source><translation>{}：SFTP 服务器列出的扩展过多</translation></message>
    <message><source>{}: the SFTP server sent an answer that was not asked for</source><translation>{}：SFTP 服务器发送了未被请求的应答</translation></message>
    <message><source>{}: the SFTP server did not answer for {}</source><translation>{}：SFTP 服务器在 {} 内没有应答</translation></message>
    <message><source>{}: the host did not answer as an SFTP server: do start-up files of the login shell print text?</source><translation>{}：主机没有以 SFTP 服务器的方式应答：登录 shell 的启动文件是否输出了文本？</translation></message>
    <message><source>{}: the SFTP server ended ({}): is sftp-server installed on the host?</source><translation>{}：SFTP 服务器已结束（{}）：主机上安装了 sftp-server 吗？</translation></message>
    <message><source>{}: {}: no such file or folder</source><translation>{}：{}：没有该文件或文件夹</translation></message>
    <message><source>{}: {}: &apos;{}&apos; may not do that there</source><translation>{}：{}：&apos;{}&apos; 在那里没有权限</translation></message>
    <message><source>{}: {}: no space left (needed {}, {} free): make room, or choose another folder for this host</source><translation>{}：{}：已没有剩余空间（需要 {}，可用 {}）：请腾出空间，或为此主机选择其他文件夹</translation></message>
    <message><source>&apos;{}&apos; is not a valid host: {}</source><translation>&apos;{}&apos; 不是有效的主机：{}</translation></message>
    <message><source>a host name is not empty, does not begin with a dash and has no blanks, slashes, quotes, control characters or characters that a shell interprets</source><translation>主机名不能为空，不能以短横线开头，也不能含有空格、斜杠、引号、控制字符或会被 shell 解释的字符</translation></message>
    <message><source>a user name does not begin with a dash or end with a backslash and has no quotes, control characters or characters that a shell interprets</source><translation>用户名不能以短横线开头或以反斜杠结尾，也不能含有引号、控制字符或会被 shell 解释的字符</translation></message>
    <message><source>the user name before the @ is missing</source><translation>@ 之前没有内容</translation></message>
    <message><source>the ] is missing</source><translation>缺少 ]</translation></message>
    <message><source>only :port may follow the ]</source><translation>] 之后只能是 :port</translation></message>
    <message><source>the port is missing</source><translation>缺少端口</translation></message>
    <message><source>a port is a number from 1 to 65535, not &apos;{}&apos;</source><translation>端口须为 1 到 65535 的数字，而不是 &apos;{}&apos;</translation></message>
    <message><source>{}; Trainyard reads ssh_config with its own parser</source><translation>{}；Trainyard 自行读取 ssh_config</translation></message>
    <message><source>{}: &apos;Match {}&apos; is not followed: {}</source><translation>{}：未采用 &apos;Match {}&apos;：{}</translation></message>
    <message><source>commands in ssh_config conditions are never run</source><translation>不会为判断条件而运行 ssh_config 中的命令</translation></message>
    <message><source>its block is left out</source><translation>其配置块被略过</translation></message>
    <message><source>&apos;{}&apos; is neither yes nor no</source><translation>&apos;{}&apos; 既不是 yes 也不是 no</translation></message>
    <message><source>RequiredRSASize is a number of bits, not &apos;{}&apos;</source><translation>RequiredRSASize 是位数，而不是 &apos;{}&apos;</translation></message>
    <message><source>AddressFamily is any, inet or inet6, not &apos;{}&apos;</source><translation>AddressFamily 须为 any、inet 或 inet6，而不是 &apos;{}&apos;</translation></message>
    <message><source>ConnectTimeout is a number of seconds, not &apos;{}&apos;</source><translation>ConnectTimeout 须为秒数，而不是 &apos;{}&apos;</translation></message>
    <message><source>unknown host keys always need confirmation, changed ones are never accepted</source><translation>遇到未知的 host key 总会询问，已更改的从不接受</translation></message>
    <message><source>the agent is never forwarded</source><translation>从不转发代理</translation></message>
    <message><source>it only applies to terminal sessions</source><translation>它用于终端</translation></message>
    <message><source>host names are looked up as written</source><translation>名称按原样查询</translation></message>
    <message><source>{}: &apos;{} {}&apos; is not followed: {}</source><translation>{}：未采用 &apos;{} {}&apos;：{}</translation></message>
    <message><source>{}: &apos;{}&apos; of ssh_config names the environment variable &apos;{}&apos;, which is not set</source><translation>{}：ssh_config 中的 &apos;{}&apos; 引用了未设置的环境变量 &apos;{}&apos;</translation></message>
    <message><source>{}: &apos;{}&apos; of ssh_config has &apos;%{}&apos;, which means nothing here: write %% for %</source><translation>{}：ssh_config 中的 &apos;{}&apos; 含有 &apos;%{}&apos;，它在此处没有意义：请用 %% 表示 %</translation></message>
    <message><source>{}: ssh_config has &apos;{}&apos; for it: {}</source><translation>{}：ssh_config 为其指定了 &apos;{}&apos;：{}</translation></message>
    <message><source>{}: HostKeyAlias &apos;{}&apos; of ssh_config is not a name: {}</source><translation>{}：ssh_config 的 HostKeyAlias &apos;{}&apos; 不是名称：{}</translation></message>
    <message><source>KnownHostsCommand is the absolute path of a program, with its arguments, not &apos;{}&apos;</source><translation>KnownHostsCommand 是程序的绝对路径及其参数，而不是 &apos;{}&apos;</translation></message>
    <message><source>this ProxyCommand needs a shell, which is never started with names of hosts in it: use ProxyJump, or put the command into a script of its own</source><translation>此 ProxyCommand 需要 shell，而从不以含有主机名的命令启动 shell：请使用 ProxyJump，或将该命令写入单独的脚本</translation></message>
    <message><source>this ProxyCommand has no program</source><translation>此 ProxyCommand 中没有程序</translation></message>
    <message><source>a quote is never closed</source><translation>引号没有闭合</translation></message>
    <message><source>a value is missing</source><translation>缺少值</translation></message>
    <message><source>files are included more than 16 deep: does one include itself?</source><translation>文件包含嵌套超过 16 层：是否有文件包含了自身？</translation></message>
    <message><source>{}: it is not there</source><translation>{}：不存在</translation></message>
    <message><source>{}: there is no trace in it or in its folder traces</source><translation>{}：其中及其 traces 文件夹中都没有 trace</translation></message>
    <message><source>the copy of the traces of {}</source><translation>{} 的跟踪副本</translation></message>
    <message><source>SLURM job {} was cancelled before it started</source><translation>SLURM 作业 {} 在启动前被取消</translation></message>
    <message><source>SLURM job {} ended ({}) before the run started; its log: {}</source><translation>SLURM 作业 {} 在运行开始前结束（{}）；其日志：{}</translation></message>
    <message><source>unknown to SLURM</source><translation>SLURM 未知</translation></message>
    <message><source>alarm of the desktop</source><translation>桌面的警报</translation></message>
    <message><source>alarm: {}</source><translation>警报：{}</translation></message>
    <message><source>{} do not fit: {} are free in {}</source><translation>{0} 放不下：{2} 中剩余 {1}</translation></message>
    <message><source>resumed from checkpoint {} of {}</source><translation>从 {1} 的 checkpoint {0} 恢复</translation></message>
    <message><source>a scenario without a name, a model or devices</source><translation>缺少名称、模型或设备的场景</translation></message>
    <message><source>the model {} is not known to this version: open its file instead</source><translation>此版本不认识模型 {}：请改为打开它的文件</translation></message>
    <message><source>the device {} of {} is not known to this version: choose another</source><translation>此版本不认识 {1} 的设备 {0}：请选择其他设备</translation></message>
    <message><source>{} is there already: choose another folder or name</source><translation>{} 已存在：请选择其他文件夹或名称</translation></message>
    <message><source>{} is not the copy of a run on another machine</source><translation>{} 不是其他机器上某个运行的副本</translation></message>
    <message><source>the engine did not return a plan</source><translation>引擎未说明将启动什么</translation></message>
    <message><source>The measured peaks in {} could not be removed: {}</source><translation>无法删除 {} 中的峰值测量结果：{}</translation></message>
    <message><source>{} is UTF-16: save it as UTF-8</source><translation>{} 是 UTF-16：请另存为 UTF-8</translation></message>
    <message><source>a line of {} cannot be read and was skipped: line {}</source><translation>{} 中有一行无法读取，已跳过：第 {} 行</translation></message>
    <message><source>{} lines of {} cannot be read and were skipped: the first is line {}</source><translation>{1} 中有 {0} 行无法读取，已跳过：首个为第 {2} 行</translation></message>
    <message><source>line {} of {} is not UTF-8: save the file as UTF-8</source><translation>{1} 的第 {0} 行不是 UTF-8：请将文件另存为 UTF-8</translation></message>
    <message><source>{} has no log_history, where the trainer of transformers writes its curves</source><translation>{} 没有 log_history，transformers 的 Trainer 把曲线写在那里</translation></message>
    <message><source>{} is cut off or damaged at byte {}: everything before it is shown</source><translation>{} 在第 {} 字节处被截断或损坏：之前的内容照常显示</translation></message>
    <message><source>{} cannot be read: it is not whole, or no JSON</source><translation>无法读取 {}：文件不完整或不是 JSON</translation></message>
    <message><source>{} has a record of more than {} MB at byte {}: everything before it is shown</source><translation>{0} 在字节 {2} 处有超过 {1} MB 的记录：显示其之前的全部内容</translation></message>
    <message><source>{} is not a Weights &amp; Biases file</source><translation>{} 不是 Weights &amp; Biases 的文件</translation></message>
    <message><source>{} is damaged at byte {}: everything before it is shown</source><translation>{} 在字节 {} 处损坏：显示其之前的全部内容</translation></message>
    <message><source>The preset {} is left out: {}</source><translation>已跳过预设 {}：{}</translation></message>
    <message><source>A preset needs a name with a letter or digit in it</source><translation>预设需要一个含字母或数字的名称</translation></message>
    <message><source>{} cannot be deleted: {}</source><translation>无法删除 {}：{}</translation></message>
    <message><source>it is not there any more</source><translation>它已不存在</translation></message>
    <message><source>{} is set in front of the command: settings do not hold environment variables</source><translation>{} 写在命令之前：设置不保存环境变量</translation></message>
    <message><source>--config_file {} was not read: open that file first, then paste the command</source><translation>未读取 --config_file {}：请先打开该文件，再粘贴命令</translation></message>
    <message><source>--{} is only a command line flag and cannot be stored in a settings file</source><translation>--{} 只用于命令行：设置文件中没有它</translation></message>
    <message><source>--{} belongs to the program</source><translation>--{} 属于该程序</translation></message>
    <message><source>-{} belongs to the program</source><translation>-{} 属于该程序</translation></message>
    <message><source>--{} at the end of the command has no value</source><translation>--{} 位于命令末尾：其后必须有值</translation></message>
    <message><source>--nproc_per_node {} is resolved on the host: the number of processes is unchanged</source><translation>--nproc_per_node {} 在运行处统计：进程数保持不变</translation></message>
    <message><source>--{} {} is only a command line flag and cannot be stored in a settings file</source><translation>--{} {} 只用于命令行：设置文件中没有它</translation></message>
    <message><source>--{} only applies to torchrun and is ignored</source><translation>--{} 是 torchrun 自己的选项：已忽略</translation></message>
    <message><source>--{} &apos;{}&apos; is not a whole number</source><translation>--{} &apos;{}&apos; 不是整数</translation></message>
    <message><source>--nnodes &apos;{}&apos; is not a number of machines</source><translation>--nnodes &apos;{}&apos; 不是机器数</translation></message>
    <message><source>--nnodes {} is an elastic range: the larger number is used</source><translation>--nnodes {} 允许机器数变化：取较大的值</translation></message>
    <message><source>the command has an unclosed quote {}</source><translation>命令中的引号 {} 未闭合</translation></message>
    <message><source>The clipboard is empty: copy a launch command, a settings file or a DeepSpeed JSON first</source><translation>剪贴板为空：请先复制启动命令、设置文件或 DeepSpeed JSON</translation></message>
    <message><source>The clipboard&apos;s JSON cannot be read: {}</source><translation>无法读取剪贴板中的 JSON：{}</translation></message>
    <message><source>The clipboard holds no launch command, settings file or DeepSpeed JSON: copy one of them and try again</source><translation>剪贴板中没有启动命令、设置文件或 DeepSpeed JSON：请复制其中之一后重试</translation></message>
    <message><source>No such file or directory</source><translation>没有该文件或目录</translation></message>
    <message><source>Permission denied</source><translation>权限不够</translation></message>
    <message><source>Operation not permitted</source><translation>操作不被允许</translation></message>
    <message><source>No space left on device</source><translation>设备上没有剩余空间</translation></message>
    <message><source>Disk quota exceeded</source><translation>超出磁盘配额</translation></message>
    <message><source>Read-only file system</source><translation>只读文件系统</translation></message>
    <message><source>Input/output error</source><translation>输入/输出错误</translation></message>
    <message><source>Is a directory</source><translation>是一个目录</translation></message>
    <message><source>Not a directory</source><translation>不是目录</translation></message>
    <message><source>File exists</source><translation>文件已存在</translation></message>
    <message><source>Directory not empty</source><translation>目录非空</translation></message>
    <message><source>Device or resource busy</source><translation>设备或资源忙</translation></message>
    <message><source>Exec format error</source><translation>可执行文件格式错误</translation></message>
    <message><source>Cannot allocate memory</source><translation>无法分配内存</translation></message>
    <message><source>Too many open files</source><translation>打开的文件过多</translation></message>
    <message><source>Too many open files in system</source><translation>系统中打开的文件过多</translation></message>
    <message><source>Too many levels of symbolic links</source><translation>符号链接层数过多</translation></message>
    <message><source>File name too long</source><translation>文件名过长</translation></message>
    <message><source>Invalid argument</source><translation>无效的参数</translation></message>
    <message><source>File too large</source><translation>文件过大</translation></message>
    <message><source>Broken pipe</source><translation>管道已断开</translation></message>
    <message><source>Connection refused</source><translation>连接被拒绝</translation></message>
    <message><source>Connection reset by peer</source><translation>连接被对方重置</translation></message>
    <message><source>Connection timed out</source><translation>连接超时</translation></message>
    <message><source>No route to host</source><translation>没有到主机的路由</translation></message>
    <message><source>Network is unreachable</source><translation>网络不可达</translation></message>
    <message><source>Address already in use</source><translation>地址已被占用</translation></message>
    <message><source>Stale file handle</source><translation>过期的文件句柄</translation></message>
    <message><source>No such device</source><translation>没有该设备</translation></message>
    <message><source>Invalid cross-device link</source><translation>无效的跨设备链接</translation></message>
    <message><source>larger than 256 MiB</source><translation>大于 256 MiB</translation></message>
    <message><source>nested deeper than 64 levels</source><translation>嵌套超过 64 层</translation></message>
    <message><source>of more than 8 million values</source><translation>包含超过 800 万个值</translation></message>
    <message><source>the quote that opens this field is not closed</source><translation>此字段开头的引号没有闭合</translation></message>
    <message><source>text behind the quote that closes a field: double quotes inside of a field</source><translation>字段的结束引号之后还有文本：字段内的引号须写成两个</translation></message>
    <message><source>a quote inside of a field without quotes: put the field in quotes and double this one</source><translation>未加引号的字段中含有引号：请为该字段加引号，并将此引号写成两个</translation></message>
    <message><source>a line end inside of a field without quotes: put the field in quotes, or end all lines in the same way</source><translation>未加引号的字段中有换行符：请给字段加引号，或让所有行使用相同的换行符</translation></message>
    <message><source>the optimizer&apos;s state has no group of parameter {}</source><translation>优化器状态中没有包含参数 {} 的组</translation></message>
    <message><source>the optimizer&apos;s state: &apos;{}&apos; of parameter {} has another shape than the parameter needs</source><translation>优化器状态：参数 {1} 的 &apos;{0}&apos; 的形状与该参数所需的不同</translation></message>
    <message><source>{} is more than {:.0f}</source><translation>{} 大于 {}</translation></message>
    <message><source>tpu_name is missing: name the TPU cluster as `gcloud compute tpus tpu-vm list` does</source><translation>缺少 tpu_name：请写出 `gcloud compute tpus tpu-vm list` 所列的 TPU 集群名称</translation></message>
    <message><source>tpu_zone is missing: name the zone of the TPU cluster, such as us-central1-a</source><translation>缺少 tpu_zone：请写出 TPU 集群所在区域，例如 us-central1-a</translation></message>
    <message><source>command_file is missing: name the script with the start-up commands</source><translation>缺少 command_file：请指定含启动命令的脚本</translation></message>
    <message><source>commands are missing: give at least one, or answer that no commands are needed</source><translation>缺少 commands：请至少给出一条，或回答没有</translation></message>
    <message><source>iam_role_name is missing: SageMaker starts no job without a role</source><translation>缺少 iam_role_name：没有角色 SageMaker 不会启动作业</translation></message>
    <message><source>host {}...: a host name has at most 253 letters</source><translation>主机 {}...：主机名最多 253 个字符</translation></message>
    <message><source>host {}: a host name begins with a letter or a digit</source><translation>主机 {}：主机名以字母或数字开头</translation></message>
    <message><source>host {}: a host name may not contain `:`: a port is a field of its own</source><translation>主机 {}：主机名不能包含 `:`：端口是单独的字段</translation></message>
    <message><source>host {}: a host name may not contain `_`: did you mean {}?</source><translation>主机 {}：主机名不能包含 `_`：是否指 {}？</translation></message>
    <message><source>host {}: a host name may not contain `@`: the user is a field of its own</source><translation>主机 {}：主机名不能包含 `@`：用户是单独的字段</translation></message>
    <message><source>host {}: a host name may not contain `{}`</source><translation>主机 {}：主机名不能包含 `{}`</translation></message>
    <message><source>host {}: a host name may not contain blanks or special letters</source><translation>主机 {}：主机名不能包含空格或特殊字符</translation></message>
    <message><source>none</source><translation>无</translation></message>
    <message><source>at &apos;{}&apos;: {}</source><translation>在 &apos;{}&apos; 处：{}</translation></message>
    <message><source>samples of one batch differ in shape or dtype: pad them, or give the loader a collate function</source><translation>同一 batch 的样本形状或 dtype 不同：请填充它们，或为加载器提供 collate 函数</translation></message>
    <message><source>samples of one batch have lists of different length: give the loader a collate function</source><translation>同一 batch 的样本含有长度不同的列表：请为加载器提供 collate 函数</translation></message>
    <message><source>samples of one batch have different keys: give all of them the same, or the loader a collate function</source><translation>同一 batch 的样本含有不同的键：请让它们的键相同，或为加载器提供 collate 函数</translation></message>
    <message><source>samples of one batch differ in kind ({} and {}): give the loader a collate function</source><translation>同一 batch 的样本种类不同（{} 和 {}）：请为加载器提供 collate 函数</translation></message>
    <message><source>cannot concatenate {} and {}</source><translation>无法拼接 {} 和 {}</translation></message>
    <message><source>cannot concatenate lists of {} and {} items</source><translation>无法拼接分别含 {} 和 {} 项的列表</translation></message>
    <message><source>cannot concatenate tuples of {} and {} items</source><translation>无法拼接分别含 {} 和 {} 项的元组</translation></message>
    <message><source>cannot concatenate dicts with different keys</source><translation>无法拼接键不同的字典</translation></message>
    <message><source>{} / {:.0f} ranks</source><translation>{} / {} 个 rank</translation></message>
    <message><source>{} + {:g} × {} of LoRA</source><translation>{} + {} × {}（LoRA）</translation></message>
    <message><source>{:.4g} bytes + 4 of the master × {} trained parameters</source><translation>{} 字节 + 4 字节主副本 × {} 个训练的参数</translation></message>
    <message><source>{:.4g} bytes × {} trained parameters</source><translation>{} 字节 × {} 个训练的参数</translation></message>
    <message><source>the device map says of {} tensors not where they are: {}</source><translation>设备映射没有指明 {} 个张量的位置：{}</translation></message>
    <message><source>rank {} on {} was killed by {} {}</source><translation>{1} 上的 rank {0} 被{2}终止，{3}</translation></message>
    <message><source>rank {} on {} was killed by {} {}, {}</source><translation>{1} 上的 rank {0} 被{2}终止，{3}，{4}</translation></message>
    <message><source>rank {} on {} was killed by {}</source><translation>{1} 上的 rank {0} 被{2}终止</translation></message>
    <message><source>rank {} on {} was killed by {}, {}</source><translation>{1} 上的 rank {0} 被{2}终止，{3}</translation></message>
    <message><source>but does not end: its process {} {}</source><translation>但未结束：其进程 {} {}</translation></message>
    <message><source>by the kernel&apos;s out-of-memory killer: it held {}, {}</source><translation>因内存耗尽被内核终止：占用 {}，{}</translation></message>
    <message><source>by the kernel&apos;s out-of-memory killer: {}</source><translation>因内存耗尽被内核终止：{}</translation></message>
    <message><source>by the kernel&apos;s out-of-memory killer: the machine ran out of memory; it held {}</source><translation>因内存耗尽被内核终止：机器内存耗尽；占用 {}</translation></message>
    <message><source>by the kernel&apos;s out-of-memory killer: the machine ran out of memory</source><translation>因内存耗尽被内核终止：机器内存耗尽</translation></message>
    <message><source>by the kernel&apos;s out-of-memory killer: the machine ran out of memory; it held {} and the machine has {}</source><translation>因内存耗尽被内核终止：机器内存耗尽；占用 {}，机器共有 {}</translation></message>
    <message><source>by the kernel&apos;s out-of-memory killer: the machine ran out of memory; the machine has {}</source><translation>因内存耗尽被内核终止：机器内存耗尽；机器共有 {}</translation></message>
    <message><source>{} has no checkpoint of step {}: it has none</source><translation>{} 没有第 {} 步的 checkpoint：没有任何 checkpoint</translation></message>
    <message><source>{} has no checkpoint of step {}: it has {}</source><translation>{} 没有第 {} 步的 checkpoint：现有 {}</translation></message>
    <message><source>and more</source><translation>以及更多</translation></message>
    <message><source>1 record of the data cannot be read and is left out (data.on_corrupt: skip): {}</source><translation>数据中有 1 条记录无法读取，已略过（data.on_corrupt: skip）：{}</translation></message>
    <message><source>{} records of the data cannot be read and are left out (data.on_corrupt: skip): {}</source><translation>数据中有 {} 条记录无法读取，已跳过（data.on_corrupt: skip）：{}</translation></message>
    <message><source>this recipe cannot train with these settings: {}</source><translation>此配方无法使用这些设置训练：{}</translation></message>
    <message><source>{}: leave it out, name another file with --config_file, or start a script, for which it works</source><translation>{}：请省略它，用 --config_file 指定其他文件，或启动可用此设置的脚本</translation></message>
    <message><source>{} (from {})</source><translation>{}（来自 {}）</translation></message>
    <message><source>{} cannot be applied to a recipe: {}</source><translation>{} 不能用于配方：{}</translation></message>
    <message><source>{} of {} cannot be applied to a recipe: {}</source><translation>{1} 的 {0} 不能用于配方：{2}</translation></message>
    <message><source>there is no tensor {}, so the experts of this block are not complete</source><translation>缺少张量 {}，因此该块的专家不完整</translation></message>
    <message><source>deepspeed_config_file {} holds no table of keys: a DeepSpeed file is JSON and begins with {{</source><translation>deepspeed_config_file {} 中没有键的表：DeepSpeed 文件是以 {{ 开头的 JSON</translation></message>
    <message><source>--export writes scripts that start processes themselves, and {} is started by a program of its own: --dry-run prints its command</source><translation>--export 写出自行启动进程的脚本，而 {} 由其自己的程序启动：--dry-run 会显示其命令</translation></message>
    <message><source>the machine&apos;s network interface that reaches the others, unless its environment names one</source><translation>机器上能连接其他机器的网络接口，除非其环境变量已指定</translation></message>
    <message><source>--num_processes {} is not --nodes {} times --ntasks_per_node {}: leave it out</source><translation>--num_processes {} 不等于 --nodes {} 乘以 --ntasks_per_node {}：请省略它</translation></message>
    <message><source>passwords</source><translation>密码</translation></message>
    <message><source>password</source><translation>密码</translation></message>
    <message><source>cannot rename {} to {}</source><translation>无法将 {} 重命名为 {}</translation></message>
    <message><source>cannot set the permissions of {}</source><translation>无法设置 {} 的权限</translation></message>
    <message><source>cannot read the folder {}</source><translation>无法读取文件夹 {}</translation></message>
    <message><source>cannot remove the folder {}</source><translation>无法删除文件夹 {}</translation></message>
    <message><source>cannot find {}</source><translation>找不到 {}</translation></message>
    <message><source>--check looks at machines that can be reached now, and SLURM chooses its nodes later: leave out --check or --slurm</source><translation>--check 检查当前可连接的机器，而 SLURM 稍后才选择节点：请省略 --check 或 --slurm</translation></message>
    <message><source>--queue contradicts --{}: leave one of them out</source><translation>--queue 与 --{} 矛盾：请省略其中之一</translation></message>
    <message><source>run {} was started, but has not reported yet ({}): try `trainyard runs follow {}` later</source><translation>运行 {} 已启动，但没有收到它的消息（{}）：请稍后尝试 `trainyard runs follow {}`</translation></message>
    <message><source>run {} was started, but has not reported yet: try `trainyard runs follow {}` later</source><translation>运行 {} 已启动，但没有收到它的消息：请稍后尝试 `trainyard runs follow {}`</translation></message>
    <message><source>{} cannot be written in this folder: {}: start from another one</source><translation>无法在此文件夹中写入 {}：{}：请从其他文件夹启动</translation></message>
    <message><source>{} was written, but cannot be made executable: {}</source><translation>{} 已写入，但无法设为可执行：{}</translation></message>
    <message><source>--set is for recipes: leave it out for {}</source><translation>--set 用于配方：对 {} 请省略它</translation></message>
    <message><source>--no_run_dir contradicts --run_dir and --detach: leave one of them out</source><translation>--no_run_dir 与 --run_dir 和 --detach 矛盾：请省略其中之一</translation></message>
    <message><source>a job of SLURM starts the ranks itself: leave DeepSpeed&apos;s launcher, TPU and SageMaker out</source><translation>SLURM 作业自行启动 rank：请省略 DeepSpeed 的启动器、TPU 和 SageMaker</translation></message>
    <message><source>{} cannot be started: {}</source><translation>无法启动 {}：{}</translation></message>
    <message><source>--export is for scripts and programs: a recipe is trained by Trainyard&apos;s own engine, and --dry-run prints the run.yaml that starts the same run elsewhere</source><translation>--export 用于脚本和程序：配方由 Trainyard 自己的引擎训练，--dry-run 会显示可在别处启动同一运行的 run.yaml</translation></message>
    <message><source>this is inside of job {} already: leave --slurm out</source><translation>这里已处于作业 {} 之中：请省略 --slurm</translation></message>
    <message><source>{} was not found: this machine is not a login node of a SLURM cluster</source><translation>未找到 {}：本机不是 SLURM 集群的登录节点</translation></message>
    <message><source>{} did not answer: the cluster&apos;s controller cannot be reached</source><translation>{} 没有响应：无法连接集群的控制器</translation></message>
    <message><source>SLURM rejected the job: {}</source><translation>SLURM 不接受该作业：{}</translation></message>
    <message><source>job {} cannot be cancelled: {}</source><translation>无法取消作业 {}：{}</translation></message>
    <message><source>an order is read from standard input: this command is started by `trainyard launch`, not by hand</source><translation>指令从标准输入读取：此命令由 `trainyard launch` 启动，而非手动启动</translation></message>
    <message><source>the order is larger than 16 MiB: it does not come from Trainyard</source><translation>该指令大于 16 MiB：它不是 Trainyard 的指令</translation></message>
    <message><source>closed</source><translation>已关闭</translation></message>
    <message><source>cancelled</source><translation>已取消</translation></message>
    <message><source>connecting</source><translation>正在连接</translation></message>
    <message><source>free</source><translation>空闲</translation></message>
    <message><source>dispatch_batches needs put_on_device</source><translation>dispatch_batches 需要 put_on_device</translation></message>
    <message><source>{} would train on the syntax of {} instead of on its rows: set data.format to {}, or rename the file to train on its text</source><translation>{} 会用 {} 的语法而不是其中的行来训练：请将 data.format 设为 {}，若要用其文本训练，请重命名该文件</translation></message>
    <message><source>Parameters that are gathered together at least, with wrap size.</source><translation>wrap 为 size 时至少一起收集的参数数量。</translation></message>
    <message><source>Under zero_stage 3, weights that are gathered together: block, those of a unit of the model; size, of neighbouring units up to wrap_min_params; none, all.</source><translation>zero_stage 3 时一起收集的权重：block 为模型的一个单元；size 为相邻单元，直至 wrap_min_params；none 为全部。</translation></message>
    <message><source>Under zero_stage 3: yes frees the gathered weights of a unit after its forward and gathers them again for its backward; no keeps them until then, which needs more memory and sends less.</source><translation>zero_stage 3 时：yes 在单元前向计算后释放收集到的权重，并在反向计算前再次收集；no 会保留到那时，占用更多内存但传输更少。</translation></message>
    <message><source>What is spread over the processes: 0 nothing, 1 optimizer state, 2 also gradients, 3 also parameters</source><translation>在进程间切分的内容：0 无，1 优化器状态，2 加上梯度，3 再加上参数</translation></message>
    <message><source>{} divides the state of optimizers that update each element independently: Adam, AdamW, SGD, RMSprop and Adagrad of torch::optim, and those of optim::make_optimizer except Muon, Adafactor, AdaLomo and the 8-bit ones; this is a different one: use one of these, or set zero_stage to 0</source><translation>{} 只切分逐元素更新的优化器的状态：torch::optim 的 Adam、AdamW、SGD、RMSprop 和 Adagrad，以及 optim::make_optimizer 中除 Muon、Adafactor、AdaLomo 和 8 位优化器之外的优化器；此优化器不在其列：请使用上述优化器之一，或将 zero_stage 设为 0</translation></message>
    <message><source>{} {} of {}: {}</source><translation>{} {}（来自 {}）：{}</translation></message>
    <message><source>{}: a program on this library decides it itself: take it out</source><translation>{}：使用此库的程序自行决定它：请去掉</translation></message>
    <message><source>{} of {} was dropped: FSDP has no such setting</source><translation>{}（来自 {}）已去掉：FSDP 没有这样的设置</translation></message>
    <message><source>distributed_type is not FSDP: nothing to convert</source><translation>distributed_type 不是 FSDP：没有要转换的内容</translation></message>
    <message><source>{} became zero_stage: {}</source><translation>{} 变为 zero_stage: {}</translation></message>
    <message><source>HYBRID_SHARD also needs zero_hpz_partition_size, the processes of a machine, which only DeepSpeed&apos;s own JSON can set: without it the weights are sharded over all processes</source><translation>HYBRID_SHARD 还需要 zero_hpz_partition_size（一台机器的进程数），只有 DeepSpeed 自己的 JSON 能设置它：没有它，权重会切分到所有进程</translation></message>
    <message><source>HYBRID_SHARD_ZERO2 keeps a copy on each machine, zero_stage 2 shards over all processes</source><translation>HYBRID_SHARD_ZERO2 在每台机器上保留一份副本，zero_stage 2 则切分到所有进程</translation></message>
    <message><source>fsdp_offload_params has no counterpart with zero_stage {}, which offloads no weights: set it to false, or fsdp_sharding_strategy to FULL_SHARD</source><translation>fsdp_offload_params 在 zero_stage {} 下没有对应项，该阶段不卸载权重：请设为 false，或将 fsdp_sharding_strategy 设为 FULL_SHARD</translation></message>
    <message><source>DeepSpeed decides it</source><translation>由 DeepSpeed 决定</translation></message>
    <message><source>DeepSpeed does not need it</source><translation>DeepSpeed 不需要它</translation></message>
    <message><source>DeepSpeed has no such setting, the program must do it</source><translation>DeepSpeed 没有这样的设置，须由程序完成</translation></message>
    <message><source>parallelism_config_{}_size has no counterpart in DeepSpeed: set it to 1</source><translation>parallelism_config_{}_size 在 DeepSpeed 中没有对应项：请设为 1</translation></message>
    <message><source>distributed_type is not DEEPSPEED: nothing to convert</source><translation>distributed_type 不是 DEEPSPEED：没有要转换的内容</translation></message>
    <message><source>fsdp_version is 1, since FSDP 2 always shards</source><translation>fsdp_version 为 1，因为 FSDP 2 总是切分</translation></message>
    <message><source>zero_stage {} became fsdp_reshard_after_forward: {}</source><translation>zero_stage {} 变为 fsdp_reshard_after_forward: {}</translation></message>
    <message><source>num_processes must be a multiple of zero_hpz_partition_size {}</source><translation>num_processes 必须是 zero_hpz_partition_size {} 的倍数</translation></message>
    <message><source>zero_stage {} became fsdp_sharding_strategy: {}</source><translation>zero_stage {} 变为 fsdp_sharding_strategy: {}</translation></message>
    <message><source>FSDP shards the gradients, too, which zero_stage 1 does not</source><translation>FSDP 还会切分梯度，而 zero_stage 1 不会</translation></message>
    <message><source>FSDP does not offload to a disk: set it to cpu or none</source><translation>FSDP 不卸载到磁盘：请设为 cpu 或 none</translation></message>
    <message><source>FSDP offloads weights and optimizer state together: set offload_param_device and offload_optimizer_device to the same device</source><translation>FSDP 将权重和优化器状态一起卸载：请把 offload_param_device 和 offload_optimizer_device 设为同一设备</translation></message>
    <message><source>FSDP has no such setting, the program must do it</source><translation>FSDP 没有这样的设置，须由程序完成</translation></message>
    <message><source>FSDP has no such setting</source><translation>FSDP 没有这样的设置</translation></message>
    <message><source>{} ranks with {} pipeline stages each cannot be cut from a model of {} blocks ({}): give at most as many stages as blocks</source><translation>{0} 个 rank、每个 {1} 个流水线阶段，无法从含 {2} 个块（{3}）的模型中切出：阶段数最多等于块数</translation></message>
    <message><source>with several stages on a rank, a backward uses the parameters of one of them: leave it out</source><translation>一个 rank 上有多个阶段时，一次反向传播只用到其中一个阶段的参数：请去掉此项</translation></message>
    <message><source>{} ranks can shard optimizer state, gradients and weights, which needs ZeRO: set zero_stage to 1, 2 or 3, or give dp_replicate_size instead</source><translation>{} 个进程可以分片优化器状态、梯度和权重，这需要 ZeRO：请将 zero_stage 设为 1、2 或 3，或改用 dp_replicate_size</translation></message>
    <message><source>{} works on whole gradients, and under ZeRO stage {} no rank keeps them: set comm_hook to no, or zero_stage to 1</source><translation>{} 需要完整的梯度，而在 ZeRO 阶段 {} 下没有进程保存它们：请将 comm_hook 设为 no，或将 zero_stage 设为 1</translation></message>
    <message><source>says how sharded weights are gathered: set parallel.zero_stage to 3, or leave it out</source><translation>用于说明如何收集分片的权重：请将 parallel.zero_stage 设为 3，或省略此项</translation></message>
    <message><source>is for parallel.wrap size: set wrap to it, or leave this out</source><translation>仅用于 parallel.wrap size：请将 wrap 设为 size，或省略此项</translation></message>
    <message><source>under ZeRO stage 3 every weight is on one rank, so there is nothing to compare: set it to 0</source><translation>在 ZeRO 阶段 3 下每个权重只在一个进程上，因此无可比较：请设为 0</translation></message>
    <message><source>modules of a plug-in read fp32 weights, and under ZeRO stage 3 those travel in 16 bits: set it to no, or parallel.zero_stage to 2</source><translation>插件的模块读取 fp32 权重，而在 ZeRO 阶段 3 下权重以 16 位传输：请设为 no，或将 parallel.zero_stage 设为 2</translation></message>
    <message><source>there is no pipeline without parallel.pp_size: set it to the ranks of one, or leave this out</source><translation>没有 parallel.pp_size 就没有流水线：请把它设为流水线的 rank 数，或去掉此项</translation></message>
    <message><source>{} ranks cannot be shared among sequences of {} ranks each: start a multiple of {} ranks, or change the size</source><translation>{} 个 rank 无法分配给每个由 {} 个 rank 共享的序列：请启动 {} 的倍数个 rank，或更改该大小</translation></message>
    <message><source>{} with sequences shared by {} ranks</source><translation>{}，序列由 {} 个 rank 共享</translation></message>
    <message><source>{} ranks cannot be {} groups of several ranks each that shard the weights: start a larger multiple of {} ranks, or change dp_replicate_size</source><translation>{} 个进程无法分成 {} 个各含多个进程的分片组：请启动 {} 的更大倍数个进程，或更改 dp_replicate_size</translation></message>
    <message><source>the mesh of {}, {} replicas and {} shards needs {} ranks, and {} are started: start {} ranks, or change dp_replicate_size or dp_shard_size</source><translation>由 {}、{} 个副本和 {} 个分片组成的网格需要 {} 个进程，而启动了 {} 个：请启动 {} 个进程，或更改 dp_replicate_size 或 dp_shard_size</translation></message>
    <message><source>{} is out of range, use at most {}</source><translation>{} 超出范围，最大为 {}</translation></message>
    <message><source>is given twice: schedule.arguments has {}, too: leave one out</source><translation>给出了两次：schedule.arguments 也有 {}：请去掉一个</translation></message>
    <message><source>{}: ranks share sequences of models with causal attention that are trained as {}, and this is {}, trained as {}: set it to 1</source><translation>{}：只有以 {} 训练、使用因果注意力的模型才能由多个 rank 共享序列，而此模型是 {}，以 {} 训练：请设为 1</translation></message>
    <message><source>{}: data.sequence_length ({}) does not divide into two chunks for each rank: make it a multiple of {}</source><translation>{}：data.sequence_length（{}）无法为每个 rank 均分成两段：请改为 {} 的倍数</translation></message>
    <message><source>{}: data.sequence_length ({}) does not divide among the ranks: make it a multiple of {}</source><translation>{}：data.sequence_length（{}）无法在各 rank 间均分：请改为 {} 的倍数</translation></message>
    <message><source>{}: {} attention heads do not divide among the ranks: take a divisor of {}, or share the sequences by parallel.cp_size</source><translation>{}：{} 个注意力头无法在各 rank 间均分：请取 {} 的因数，或用 parallel.cp_size 拆分序列</translation></message>
    <message><source>{}: {} heads of keys and values neither divide among the ranks nor can be repeated evenly: take a divisor or a multiple of {}, or share the sequences by parallel.cp_size</source><translation>{}：{} 个键值头既不能在各 rank 间均分，也不能均匀重复：请取 {} 的因数或倍数，或用 parallel.cp_size 拆分序列</translation></message>
    <message><source>ZeRO-3: optimizer state, gradients and weights are sharded over {} ranks</source><translation>ZeRO-3：优化器状态、梯度和权重分片到 {} 个进程</translation></message>
    <message><source>ZeRO stage {} does not exist: choose 0 (nothing is sharded), 1 (optimizer state), 2 (gradients, too) or 3 (weights, too)</source><translation>ZeRO 阶段 {} 不存在：请选择 0（不分片）、1（优化器状态）、2（加上梯度）或 3（再加上权重）</translation></message>
    <message><source>the table does not say on which rank each of its stages is</source><translation>该表未说明每个阶段位于哪个 rank</translation></message>
    <message><source>{} has one stage on each rank, not {}</source><translation>{} 的每个 rank 上只有一个阶段，而不是 {} 个</translation></message>
    <message><source>{} has two stages on each rank, not {}</source><translation>{} 的每个 rank 上有两个阶段，而不是 {} 个</translation></message>
    <message><source>{} over {} ranks takes {} micro-batches in {} rounds: give a multiple of {}</source><translation>{} 在 {} 个 rank 上把 {} 个微批次分成 {} 轮：请给出 {} 的倍数</translation></message>
    <message><source>{} needs as many micro-batches as stages at least: {} stages and {} micro-batches</source><translation>{} 需要的微批次数至少要等于阶段数：{} 个阶段，{} 个微批次</translation></message>
    <message><source>parallel.pipeline_schedule: {}</source><translation>parallel.pipeline_schedule：{}</translation></message>
    <message><source>two moments of 8 bits with an fp32 scale per 256 values</source><translation>两个 8 位矩，每 256 个值一个 fp32 缩放</translation></message>
    <message><source>one momentum of 8 bits with an fp32 scale per 256 values</source><translation>一个 8 位动量，每 256 个值一个 fp32 缩放</translation></message>
    <message><source>one sum of squares of 8 bits with an fp32 scale per 256 values</source><translation>一个 8 位平方和，每 256 个值一个 fp32 缩放</translation></message>
    <message><source>one mean of squares of 8 bits with an fp32 scale per 256 values</source><translation>一个 8 位平方均值，每 256 个值一个 fp32 缩放</translation></message>
    <message><source>three moments of 8 bits with an fp32 scale per 256 values</source><translation>三个 8 位矩，每 256 个值一个 fp32 缩放</translation></message>
    <message><source>its states</source><translation>其状态</translation></message>
    <message><source>{}: the quant_state of a 4-bit weight is damaged</source><translation>{}：4 位权重的 quant_state 已损坏</translation></message>
    <message><source>{}{} is missing, which the 4-bit weight needs</source><translation>缺少 4 位权重所需的 {}{}</translation></message>
    <message><source>{}{} does not fit the quant_state of the 4-bit weight</source><translation>{}{} 与该 4 位权重的 quant_state 不符</translation></message>
    <message><source>{} is not a matrix of fp32, bf16 or fp16 numbers, and cannot be quantized</source><translation>{} 不是由 fp32、bf16 或 fp16 数值构成的矩阵，无法量化</translation></message>
    <message><source>{} has numbers that are not finite, and cannot be quantized</source><translation>{} 含有非有限数值，无法量化</translation></message>
    <message><source>{}: the quant_state names the type {}, and 4-bit weights have float32, bfloat16 or float16</source><translation>{}：quant_state 中的类型为 {}，而 4 位权重只能是 float32、bfloat16 或 float16</translation></message>
    <message><source>{} does not fit the 8-bit weight {}</source><translation>{} 与 8 位权重 {} 不符</translation></message>
    <message><source>{}{} is auto, but nothing decides its value: set a value in DeepSpeed&apos;s file</source><translation>{}{} 为 auto，但没有任何东西决定它的值：请在 DeepSpeed 的文件中设置一个值</translation></message>
    <message><source>train_micro_batch_size_per_gpu is auto, but there is no data loader with a batch size: set a number in DeepSpeed&apos;s file</source><translation>train_micro_batch_size_per_gpu 为 auto，但没有带批大小的数据加载器：请在 DeepSpeed 的文件中设置一个数字</translation></message>
    <message><source>train_micro_batch_size_per_gpu is auto, but a data loader has a batch sampler and no batch size: set a number in DeepSpeed&apos;s file</source><translation>train_micro_batch_size_per_gpu 为 auto，但某个数据加载器使用批采样器而没有批大小：请在 DeepSpeed 的文件中设置一个数字</translation></message>
    <message><source>both DeepSpeed&apos;s file and the program have an optimizer: leave one out</source><translation>DeepSpeed 的文件和程序都有优化器：请去掉一个</translation></message>
    <message><source>the program leaves the optimizer to DeepSpeed&apos;s file, which has no section optimizer</source><translation>程序把优化器交给 DeepSpeed 的文件，但该文件没有 optimizer 部分</translation></message>
    <message><source>both DeepSpeed&apos;s file and the program have a learning rate schedule: leave one out</source><translation>DeepSpeed 的文件和程序都有学习率计划：请去掉一个</translation></message>
    <message><source>the program leaves the schedule to DeepSpeed&apos;s file, which has no section scheduler</source><translation>程序把学习率计划交给 DeepSpeed 的文件，但该文件没有 scheduler 部分</translation></message>
    <message><source>a schedule of the program cannot change the rates of an optimizer of DeepSpeed&apos;s file</source><translation>程序的学习率计划不能改变 DeepSpeed 文件中优化器的学习率</translation></message>
    <message><source>bucket sizes of zero_optimization are auto, which takes the model&apos;s hidden size, but its configuration has no hidden_size: set numbers in DeepSpeed&apos;s file</source><translation>zero_optimization 的桶大小为 auto，需要模型的隐藏层宽度，但其配置没有 hidden_size：请在 DeepSpeed 的文件中设置数字</translation></message>
    <message><source>DeepSpeed&apos;s configuration holds no table of keys: it is JSON and begins with {{</source><translation>DeepSpeed 的配置不含键的表：它是 JSON，以 {{ 开头</translation></message>
    <message><source>deepspeed_config_file {} is not an existing file, JSON text, or JSON text in base64</source><translation>deepspeed_config_file {} 不是已有的文件、JSON 文本或 base64 编码的 JSON 文本</translation></message>
    <message><source>mixed_precision is {}, but DeepSpeed&apos;s file enables {}: let them agree</source><translation>mixed_precision 为 {}，但 DeepSpeed 的文件启用了 {}：请使两者一致</translation></message>
    <message><source>zero_optimization is missing in DeepSpeed&apos;s file: it needs this table, at least with a stage</source><translation>DeepSpeed 的文件缺少 zero_optimization：它需要此表，至少要有 stage</translation></message>
    <message><source>{} of DeepSpeed&apos;s file cannot be {}</source><translation>DeepSpeed 文件的 {} 不能是 {}</translation></message>
    <message><source>{} is given beside deepspeed_config_file, which would leave it without effect: set it in DeepSpeed&apos;s file</source><translation>{} 与 deepspeed_config_file 同时给出，不会起作用：请在 DeepSpeed 的文件中设置</translation></message>
    <message><source>{} must be a whole number from 1 to {:.0f}</source><translation>{} 必须是 1 到 {:.0f} 的整数</translation></message>
    <message><source>DeepSpeed&apos;s file needs train_batch_size or train_micro_batch_size_per_gpu</source><translation>DeepSpeed 的文件需要 train_batch_size 或 train_micro_batch_size_per_gpu</translation></message>
    <message><source>train_batch_size {} is not train_micro_batch_size_per_gpu {} × gradient_accumulation_steps {} × {} ranks: let them agree</source><translation>train_batch_size {} 不等于 train_micro_batch_size_per_gpu {} × gradient_accumulation_steps {} × {} 个 rank：请使它们一致</translation></message>
    <message><source>the run&apos;s event files are in its own folder, under the run&apos;s name</source><translation>运行的事件文件在其自己的文件夹中，以运行名命名</translation></message>
    <message><source>the run&apos;s CSV files are in its own folder, under the run&apos;s name</source><translation>运行的 CSV 文件在其自己的文件夹中，以运行名命名</translation></message>
    <message><source>DeepSpeed&apos;s log of collectives is not written: a profile of the run shows them</source><translation>不写 DeepSpeed 的集合通信日志：运行的性能分析会显示它们</translation></message>
    <message><source>the run&apos;s profile shows all operations of the step, in the run&apos;s own folder</source><translation>运行的性能剖析显示该步的所有操作，位于运行自己的文件夹中</translation></message>
    <message><source>nothing decides what auto is here: set a value</source><translation>没有任何东西决定这里的 auto：请设置一个值</translation></message>
    <message><source>the engine&apos;s own ZeRO does not need it</source><translation>引擎自身的 ZeRO 不需要它</translation></message>
    <message><source>the recipe&apos;s value</source><translation>配方的值</translation></message>
    <message><source>it is off</source><translation>已关闭</translation></message>
    <message><source>{} is asked for, too: keep one of the two formats</source><translation>同时还要求了 {}：请只保留两种格式之一</translation></message>
    <message><source>it counts only when fp16 is enabled</source><translation>仅在启用 fp16 时有效</translation></message>
    <message><source>a loss scale that adapts, as always</source><translation>自适应的损失缩放，一如既往</translation></message>
    <message><source>the loss scale of recipes adapts: set it to 0, and initial_scale_power to its start</source><translation>配方的损失缩放是自适应的：请设为 0，并将 initial_scale_power 设为其初始值</translation></message>
    <message><source>recipes have nothing of the kind: take it out</source><translation>配方没有此类功能：请删去</translation></message>
    <message><source>recipes have nothing of the kind: take it out, or set the recipe&apos;s own key</source><translation>配方没有此类功能：请删去，或设定配方自己的键</translation></message>
    <message><source>nothing is moved off the device</source><translation>没有内容移出设备</translation></message>
    <message><source>ranks train on the processor, so this is in its memory anyway</source><translation>各 rank 在处理器上训练，因此它本来就在处理器的内存中</translation></message>
    <message><source>recipes keep optimizer state on the device they train on, or on a disk: set it to none, or to nvme</source><translation>配方将优化器状态保存在训练设备或磁盘上：请设为 none 或 nvme</translation></message>
    <message><source>the engine&apos;s own offloading does not need it</source><translation>引擎自身的卸载不需要它</translation></message>
    <message><source>recipes have AdamW, Adam, Adagrad, Lion and SGD of DeepSpeed&apos;s: set it to one of them, or leave the optimizer out here and set the recipe&apos;s section optimizer</source><translation>配方支持 DeepSpeed 的 AdamW、Adam、Adagrad、Lion 和 SGD：请设为其中之一，或在此删去优化器并设定配方的 optimizer 节</translation></message>
    <message><source>DeepSpeed&apos;s schedules are WarmupLR, WarmupDecayLR, WarmupCosineLR, OneCycle and LRRangeTest</source><translation>DeepSpeed 的学习率计划有 WarmupLR、WarmupDecayLR、WarmupCosineLR、OneCycle 和 LRRangeTest</translation></message>
    <message><source>it follows from micro-batch, accumulation and ranks</source><translation>由微批次、累积和进程数得出</translation></message>
    <message><source>the model has no class {}: leave it out</source><translation>模型没有类 {}：请去掉它</translation></message>
    <message><source>the model has no class {}: use {}</source><translation>模型没有类 {}：请使用 {}</translation></message>
    <message><source>nothing is sharded without FSDP or ZeRO: set it to 1 and dp_replicate_size to the number of replicas, or take distributed_type FSDP</source><translation>没有 FSDP 或 ZeRO 就不会切分：请设为 1 并将 dp_replicate_size 设为副本数，或使用 distributed_type FSDP</translation></message>
    <message><source>recipes keep everything on the device they train on: set it to false</source><translation>配方把一切都保留在训练所用的设备上：请设为 false</translation></message>
    <message><source>recipes keep optimizer state on the device they train on, or, of processors, on a disk (nvme): set it to none</source><translation>配方把优化器状态保留在训练所用的设备上，使用处理器时也可放在磁盘上（nvme）：请设为 none</translation></message>
    <message><source>{} processes cannot be divided evenly among {} machines: start a multiple of {}</source><translation>{} 个进程不能平均分到 {} 台机器：请启动 {} 的倍数</translation></message>
    <message><source>TPU</source><translation>TPU</translation></message>
    <message><source>it counts only with --use_parallelism_config</source><translation>仅与 --use_parallelism_config 一起有效</translation></message>
    <message><source>it counts only with --use_parallelism_config, since a flag chooses the way of training</source><translation>仅与 --use_parallelism_config 一起有效，因为训练方式由参数选定</translation></message>
    <message><source>this version trains recipes with data parallelism, ZeRO and FSDP, not with {}</source><translation>此版本用数据并行、ZeRO 和 FSDP 训练配方，不用 {}</translation></message>
    <message><source>it is DeepSpeed&apos;s own: name the machines with --hosts, or set it to standard</source><translation>它是 DeepSpeed 自己的：请用 --hosts 指定机器，或设为 standard</translation></message>
    <message><source>this library does not have {}: launch with replicas on every rank (MULTI_GPU or MULTI_CPU)</source><translation>此库没有 {}：请以每个 rank 一份副本的方式启动（MULTI_GPU 或 MULTI_CPU）</translation></message>
    <message><source>the way of training: replicas, or what ZeRO and FSDP shard</source><translation>训练方式：副本，或由 ZeRO 和 FSDP 切分的内容</translation></message>
    <message><source>the engine orders the gathering of weights itself, with the same results</source><translation>引擎自行安排权重的收集顺序，结果相同</translation></message>
    <message><source>Trainyard starts the ranks of all machines itself: name them with --hosts</source><translation>Trainyard 自行启动所有机器的 rank：请用 --hosts 指定它们</translation></message>
    <message><source>the file is started as a program, and not trained as a recipe</source><translation>该文件作为程序启动，而不是作为配方训练</translation></message>
    <message><source>how the machines of the run find each other</source><translation>运行的各台机器如何互相发现</translation></message>
    <message><source>the launch itself</source><translation>启动本身</translation></message>
    <message><source>the job of SLURM</source><translation>SLURM 作业</translation></message>
    <message><source>this machine, or those that are named</source><translation>本机，或所指定的机器</translation></message>
    <message><source>launch.gpu_ids: the devices that ranks see</source><translation>launch.gpu_ids：各进程可见的设备</translation></message>
    <message><source>ranks connect to each other directly wherever they are</source><translation>无论在何处，各进程都直接互连</translation></message>
    <message><source>a recipe has no function that is started</source><translation>配方没有要启动的函数</translation></message>
    <message><source>parallel.zero_stage, and for a copy on each machine the sizes of the mesh</source><translation>parallel.zero_stage，以及每台机器一份副本时网格的各个大小</translation></message>
    <message><source>parallel.zero_stage: 3, or 2 where the weights stay gathered</source><translation>parallel.zero_stage：3，权重保持收集状态时为 2</translation></message>
    <message><source>parallel.wrap, with classes of the model</source><translation>parallel.wrap，使用模型的类</translation></message>
    <message><source>any number of ranks can read a recipe&apos;s checkpoint, which has one form</source><translation>任意数量的 rank 都能读取配方的检查点，它只有一种形式</translation></message>
    <message><source>parameters always have their own names and shapes</source><translation>参数总是有自己的名称和形状</translation></message>
    <message><source>ranks begin with the same weights anyway: those of the file, or of training.seed</source><translation>各 rank 本来就从相同的权重开始：文件中的，或由 training.seed 得到的</translation></message>
    <message><source>the recipe, key by key: the rows of its name</source><translation>配方，逐键应用：见其名称下的各行</translation></message>
    <message><source>the engine makes the weights of every rank from the file or training.seed in any case</source><translation>引擎总是由文件或 training.seed 生成每个 rank 的权重</translation></message>
    <message><source>the trained model is saved whole in any case: checkpoint.export_dtype sets its number format</source><translation>训练好的模型总是完整保存：checkpoint.export_dtype 设置其数值格式</translation></message>
    <message><source>the experts of a block are gathered together in any case</source><translation>一个块的专家总是一起收集</translation></message>
    <message><source>mpirun starts the ranks on its hosts</source><translation>mpirun 在其主机上启动各进程</translation></message>
    <message><source>ranks exchange gradients by Gloo, not by oneCCL</source><translation>各进程通过 Gloo 而非 oneCCL 交换梯度</translation></message>
    <message><source>this table</source><translation>本表</translation></message>
    <message><source>a failure of a rank is reported in one sentence, without a trace</source><translation>进程的失败以一句话报告，不含调用栈</translation></message>
    <message><source>launch.output.tee: streams of ranks that are shown with the rank&apos;s name</source><translation>launch.output.tee：带进程名显示的输出流</translation></message>
    <message><source>launch.output.log_dir: files of what ranks write, on each machine</source><translation>launch.output.log_dir：每台机器上记录各进程输出的文件</translation></message>
    <message><source>launch.output.redirects: streams of ranks that have files</source><translation>launch.output.redirects：写入文件的进程输出流</translation></message>
    <message><source>launch.output.local_ranks_filter: ranks whose streams are shown</source><translation>launch.output.local_ranks_filter：显示其输出流的进程</translation></message>
    <message><source>it is named in torchrun&apos;s messages alone</source><translation>它仅出现在 torchrun 的消息中</translation></message>
    <message><source>ranks report all the time, and their end is seen at once</source><translation>各进程持续报告，其结束会立即被发现</translation></message>
    <message><source>nothing is started on Amazon SageMaker</source><translation>不会在 Amazon SageMaker 上启动任何内容</translation></message>
    <message><source>nothing is started on TPU</source><translation>不会在 TPU 上启动任何内容</translation></message>
    <message><source>the run&apos;s folder</source><translation>运行的文件夹</translation></message>
    <message><source>keys of the recipe</source><translation>配方的键</translation></message>
    <message><source>curves and checkpoints of a recipe&apos;s run are stored in its folder: leave it out, or name the folder with --run_dir</source><translation>配方运行的曲线和检查点位于其文件夹中：请删去，或用 --run_dir 指定文件夹</translation></message>
    <message><source>a recipe is trained by Trainyard&apos;s own engine: --dry-run prints the run.yaml that starts the same run elsewhere</source><translation>配方由 Trainyard 自己的引擎训练：--dry-run 会打印可在别处启动同一运行的 run.yaml</translation></message>
    <message><source>no dimension of this mesh is larger than 1</source><translation>该网格没有大于 1 的维度</translation></message>
    <message><source>it is of TPU</source><translation>它属于 TPU</translation></message>
    <message><source>it counts only with --slurm</source><translation>仅与 --slurm 一起有效</translation></message>
    <message><source>it counts only where several machines find each other: give --num_machines</source><translation>仅在多台机器互相发现时有效：请给出 --num_machines</translation></message>
    <message><source>it counts only with --device, which names the kind of device that the library brings</source><translation>仅与 --device 一起有效，后者指定该库提供的设备类型</translation></message>
    <message><source>it counts only with --tee, which shows streams of ranks</source><translation>仅与 --tee 一起有效，后者显示各进程的输出流</translation></message>
    <message><source>it counts only with --log_dir, the folder of the files</source><translation>仅与 --log_dir（文件所在的文件夹）一起有效</translation></message>
    <message><source>it counts only with --tee or --redirects, which name the streams that are copied there</source><translation>仅与 --tee 或 --redirects 一起有效，二者指定复制到那里的输出流</translation></message>
    <message><source>it counts only when {}</source><translation>仅在以下情况有效：{}</translation></message>
    <message><source>it is so anyway</source><translation>本来就是如此</translation></message>
    <message><source>every rank has the whole weights, so none are gathered</source><translation>每个 rank 都有完整的权重，因此不需要收集</translation></message>
    <message><source>Accelerate would refuse this: {}</source><translation>Accelerate 会拒绝它：{}</translation></message>
    <message><source>values.step is &apos;{}&apos;: give a whole number</source><translation>values.step 为 &apos;{}&apos;：请给出整数</translation></message>
    <message><source>MXFP8 needs sizes that are multiples of 32, and a product sums over {} elements</source><translation>MXFP8 要求尺寸为 32 的倍数，而某个乘积对 {} 个元素求和</translation></message>
    <message><source>the state of delayed scaling has a history of {} steps, and the options say {}</source><translation>延迟缩放的状态含 {} 步历史，而选项为 {} 步</translation></message>
    <message><source>a 4-bit weight of a Linear layer has {} dimensions, and must have 2</source><translation>Linear 层的 4 位权重有 {} 维，而必须为 2 维</translation></message>
    <message><source>an 8-bit weight has {} magnitudes (SCB), and needs one for each of its rows</source><translation>某 8 位权重有 {} 个幅值 (SCB)，而每行需要一个</translation></message>
    <message><source>{}: weights that {} quantized cannot be read: this version reads those of bitsandbytes</source><translation>{}：无法读取由 {} 量化的权重：此版本可读取 bitsandbytes 的量化权重</translation></message>
    <message><source>an unknown method</source><translation>未知方法</translation></message>
    <message><source>the optimizer&apos;s state: &apos;{}&apos; is another table of 8-bit values than bitsandbytes has</source><translation>优化器状态：“{}”与 bitsandbytes 的 8 位数值表不同</translation></message>
    <message><source>{}: {} ranks share every sequence, and the mesh of this program has {} for it: set it to {}, or train the recipe with trainyard launch</source><translation>{}：每个序列由 {} 个 rank 共享，而此程序的网格在该维度上为 {}：请设为 {}，或用 trainyard launch 训练该配方</translation></message>
    <message><source>ranks that differ</source><translation>有差异的 rank</translation></message>
    <message><source>Modules that stay as they are, by their last or whole name, besides the head.</source><translation>除输出头以外保持不变的模块，按名称的最后一段或全名。</translation></message>
    <message><source>With 4-bit weights: number format of products; auto: that of training.mixed_precision.</source><translation>使用 4 位权重时：乘积的数值格式；auto：与 training.mixed_precision 相同。</translation></message>
    <message><source>With delayed and mxfp8: HYBRID has E4M3 for inputs and weights and E5M2 for gradients, E4M3 is for all.</source><translation>用于 delayed 和 mxfp8：HYBRID 对输入和权重使用 E4M3，对梯度使用 E5M2；E4M3 用于全部。</translation></message>
    <message><source>With delayed: products that are not computed in fp8: fprop, dgrad (gradient of inputs), wgrad (gradient of weights); one word or a list.</source><translation>用于 delayed：不以 fp8 计算的乘积：fprop、dgrad（输入的梯度）、wgrad（权重的梯度）；一个词或列表。</translation></message>
    <message><source>With delayed: scales are divided by 2^margin.</source><translation>用于 delayed：缩放因子除以 2^margin。</translation></message>
    <message><source>With delayed: steps from one computation of the scales to the next.</source><translation>用于 delayed：两次计算缩放因子之间的步数。</translation></message>
    <message><source>With delayed: steps whose largest magnitudes count.</source><translation>用于 delayed：计入最大绝对值的步数。</translation></message>
    <message><source>With delayed: the largest magnitude of these steps (max), or that of the last one (most_recent).</source><translation>用于 delayed：这些步中的最大绝对值 (max)，或最后一步的 (most_recent)。</translation></message>
    <message><source>With int8, in evaluation: columns of inputs with an element of at least this magnitude are multiplied in full precision; 0: none.</source><translation>用于 int8 评估：含有绝对值不小于此值元素的输入列以全精度相乘；0：无。</translation></message>
    <message><source>With nf4 and fp4: the magnitudes of blocks are quantized, too, which saves 0.37 bits a weight.</source><translation>用于 nf4 和 fp4：块的绝对值也被量化，每个权重节省 0.37 位。</translation></message>
    <message><source>sharding.dp_replicate is {}: it must be 1 or more</source><translation>sharding.dp_replicate 为 {}：必须不小于 1</translation></message>
    <message><source>sharding.wrap.min_parameters is {}: it must be 0 or more</source><translation>sharding.wrap.min_parameters 为 {}：必须不小于 0</translation></message>
    <message><source>{} ranks cannot be divided into {} replicas of the model (dp_replicate): start a multiple of {}, or change it</source><translation>{} 个进程无法分成 {} 份模型副本 (dp_replicate)：请启动 {} 的倍数，或更改它</translation></message>
    <message><source>the weights of blocks of the class &apos;{}&apos; are to be gathered, but the model names no block: give it blocks(), which returns the modules that it wrapped with wrap_block</source><translation>要收集类 &apos;{}&apos; 的块的权重，但模型没有列出块：请提供 blocks()，返回用 wrap_block 包装的模块</translation></message>
    <message><source>the weights of blocks of the class &apos;{}&apos; are to be gathered, but the model&apos;s blocks are of {}: name one of these, or wrap those modules</source><translation>要收集类 &apos;{}&apos; 的块的权重，但模型的块属于 {}：请指定其中之一，或包装那些模块</translation></message>
    <message><source>flat parameters of one rank fit no other layout: set it to SHARDED_STATE_DICT</source><translation>单个进程的扁平参数不适用于其他布局：请设为 SHARDED_STATE_DICT</translation></message>
    <message><source>it must be FULL_STATE_DICT or SHARDED_STATE_DICT</source><translation>必须是 FULL_STATE_DICT 或 SHARDED_STATE_DICT</translation></message>
    <message><source>{} holds no optimizer</source><translation>{} 中没有优化器</translation></message>
    <message><source>{}: &apos;{}&apos; has elements of type {}, which torch does not know</source><translation>{}：&apos;{}&apos; 的元素类型 {} 是 torch 不认识的</translation></message>
    <message><source>{}: the file of &apos;{}&apos; is missing or cut</source><translation>{}：&apos;{}&apos; 的文件缺失或被截断</translation></message>
    <message><source>&apos;{}&apos; is in parameter group {} of the file, others of its group are in {}</source><translation>&apos;{}&apos; 在文件的参数组 {} 中，同组的其他参数在 {} 中</translation></message>
    <message><source>no parameter of group {} of the optimizer is in the file&apos;s groups</source><translation>优化器第 {} 组的参数都不在文件的参数组中</translation></message>
    <message><source>the optimizer&apos;s state does not fit: {}</source><translation>优化器状态不匹配：{}</translation></message>
    <message><source>ranks that share each layer (parallel.tp_size is {}) do not read {} of torch in parts: set it to 1, or start from the weights alone with model.weights</source><translation>共享每一层的进程 (parallel.tp_size 为 {}) 不能分块读取 torch 的 {}：请设为 1，或仅用 model.weights 从权重开始</translation></message>
    <message><source>data.label_column: it holds more than {} different names: choose the column of classes</source><translation>data.label_column：其中有超过 {} 个不同的名称：请选择类别列</translation></message>
    <message><source>{}: ranks divide the experts of a model among themselves, and {} has none: set it to 1, or take a model with experts, such as mixtral</source><translation>{}：各进程分担模型的专家，而 {} 没有专家：请设为 1，或选用带专家的模型，例如 mixtral</translation></message>
    <message><source>{}: {} experts do not divide among the ranks: take a divisor of {}</source><translation>{}：{} 个专家不能在进程间均分：请取 {} 的约数</translation></message>
    <message><source>samples need the whole model on one rank; set it to 0 and use trainyard generate</source><translation>样例需要单个进程上的完整模型；请设为 0 并使用 trainyard generate</translation></message>
    <message><source>leave one of them out</source><translation>请去掉其中一个</translation></message>
    <message><source>is for matrices that become 4-bit ones at the start: set quantization.method to nf4 or fp4</source><translation>用于启动时转换为 4 位的矩阵：请将 quantization.method 设为 nf4 或 fp4</translation></message>
    <message><source>is for 4-bit matrices: set quantization.method to nf4 or fp4</source><translation>用于 4 位矩阵：请将 quantization.method 设为 nf4 或 fp4</translation></message>
    <message><source>is for 8-bit matrices: set quantization.method to int8</source><translation>用于 8 位矩阵：请将 quantization.method 设为 int8</translation></message>
    <message><source>has no effect without quantization.method: set it to nf4, fp4 or int8</source><translation>没有 quantization.method 则无效：请将其设为 nf4、fp4 或 int8</translation></message>
    <message><source>needs a built-in model, not {}: set it to no</source><translation>需要由引擎自身计算的模型，而不是 {}：请设为 no</translation></message>
    <message><source>needs model.weights: random matrices that are not trained are of no use</source><translation>需要 model.weights：不参与训练的随机矩阵没有用处</translation></message>
    <message><source>is for a model that is not trained itself, beside adapters: set lora.r to their rank, e.g. 8, or this to no</source><translation>用于自身不参与训练、只训练适配器的模型：请将 lora.r 设为其秩（例如 8），或将此项设为 no</translation></message>
    <message><source>matrices of 4 and 8 bits are not multiplied in fp8: set training.mixed_precision to bf16</source><translation>4 位和 8 位矩阵不以 fp8 相乘：请将 training.mixed_precision 设为 bf16</translation></message>
    <message><source>gradients travel in fp16 or bf16: set it to one of them, or to no</source><translation>梯度以 fp16 或 bf16 传输：请设为其中之一，或设为 no</translation></message>
    <message><source>has no effect without training.mixed_precision fp8: set it, or leave this out</source><translation>没有 training.mixed_precision fp8 则无效：请设置它，或去掉此项</translation></message>
    <message><source>has no effect with fp8.scaling {}: leave it out</source><translation>在 fp8.scaling 为 {} 时无效：请去掉它</translation></message>
    <message><source>fp8 needs a built-in model, not {}: use bf16</source><translation>fp8 需要由引擎自身计算的模型，而不是 {}：请用 bf16</translation></message>
    <message><source>fp8 is for Linear layers with sizes that are multiples of {}, besides the first and the last, and the model has none: use bf16</source><translation>fp8 用于尺寸为 {} 的倍数的 Linear 层（首末层除外），而模型没有这样的层：请用 bf16</translation></message>
    <message><source>the scales of delayed scaling do not work with pipeline stages in this version: set fp8.scaling to tensorwise, or parallel.pp_size to 1</source><translation>此版本中 delayed 缩放不能与流水线阶段一起使用：请将 fp8.scaling 设为 tensorwise，或将 parallel.pp_size 设为 1</translation></message>
    <message><source>{} ranks do not divide into groups of {} ranks that share each layer: start a multiple of {} ranks, or change tp_size</source><translation>{} 个进程无法分成每组 {} 个共享各层的进程：请启动 {} 的倍数个进程，或更改 tp_size</translation></message>
    <message><source>{} data ranks do not divide into groups of {} ranks that divide the experts: start a multiple of {} ranks, or change ep_size</source><translation>{} 个数据进程无法分成每组 {} 个分担专家的进程：请启动 {} 的倍数个进程，或更改 ep_size</translation></message>
    <message><source>{} with layers shared by {} ranks</source><translation>{}，各层由 {} 个进程共享</translation></message>
    <message><source>use one that updates each element independently, such as adamw</source><translation>请使用逐元素更新的优化器，例如 adamw</translation></message>
    <message><source>{}: {} ({}) neither divides among the ranks nor can be repeated evenly: take a divisor or a multiple of {}</source><translation>{}：{} ({}) 既不能在进程间均分，也不能均匀重复：请取 {} 的约数或倍数</translation></message>
    <message><source>{}: {} ({}) does not divide among the ranks: take a divisor of {}</source><translation>{}：{} ({}) 不能在进程间均分：请取 {} 的约数</translation></message>
    <message><source>{}: {} ({}) is less than one for each rank: take at most {}</source><translation>{}：{} ({}) 少于每个进程一个：最多取 {}</translation></message>
    <message><source>results of experts</source><translation>专家的结果</translation></message>
    <message><source>rows for experts</source><translation>专家的输入行</translation></message>
    <message><source>gradients of results of experts</source><translation>专家结果的梯度</translation></message>
    <message><source>gradients of rows for experts</source><translation>专家输入行的梯度</translation></message>
    <message><source>parallel.ep_size: {}</source><translation>parallel.ep_size：{}</translation></message>
    <message><source>numbers of rows for experts</source><translation>专家输入的行数</translation></message>
    <message><source>expert copies</source><translation>专家副本</translation></message>
    <message><source>{:g} bytes × {} parameters + {:g} × {} of embedding and head</source><translation>{:g} 字节 × {} 个参数 + {:g} × {}（嵌入和输出头）</translation></message>
    <message><source>scales of frozen weights of 4 bits in 8 bits</source><translation>以 8 位存储的 4 位冻结权重的缩放因子</translation></message>
    <message><source>a matrix with numbers that are not finite cannot be quantized</source><translation>含有非有限数的矩阵无法量化</translation></message>
    <message><source>{} is stored in {}, and quantization.method is {}: leave it out, or set it to {}</source><translation>{} 以 {} 存储，而 quantization.method 为 {}：请去掉它，或设为 {}</translation></message>
    <message><source>Trainyard&apos;s own FSDP does not need it</source><translation>Trainyard 自己的 FSDP 不需要它</translation></message>
    <message><source>this library divides a program&apos;s modules over the ranks of FSDP and ZeRO alone: set it to 1</source><translation>本库只在 FSDP 和 ZeRO 的进程间分片程序的模块：请设为 1</translation></message>
    <message><source>Microsoft has abandoned MS-AMP, and its formats are not computed here: set it to TE or AO</source><translation>微软已放弃 MS-AMP，此处不支持其格式：请设为 TE 或 AO</translation></message>
    <message><source>E5M2 has too few digits for weights: set it to HYBRID or E4M3</source><translation>E5M2 的精度不足以表示权重：请设为 HYBRID 或 E4M3</translation></message>
    <message><source>fp8.scaling: tensorwise for AO; delayed, or mxfp8, for TE</source><translation>fp8.scaling：AO 用 tensorwise；TE 用 delayed 或 mxfp8</translation></message>
    <message><source>evaluation is computed in fp8 in any case</source><translation>评估始终以 fp8 计算</translation></message>
    <message><source>layers with sizes that are not multiples of 16 stay in bf16</source><translation>尺寸不是 16 的倍数的层保持 bf16</translation></message>
    <message><source>parallel.tp_size: ranks cannot share the layers of this model (model_type {}, task {}): set it to 1</source><translation>parallel.tp_size：各进程无法共享此模型的层 (model_type {}, task {})：请设为 1</translation></message>
    <message><source>quantization.method: the model has no Linear layer that {} could be the format of</source><translation>quantization.method：模型没有可采用 {} 格式的 Linear 层</translation></message>
    <message><source>training.mixed_precision: {}</source><translation>training.mixed_precision：{}</translation></message>
    <message><source>largest magnitudes of fp8 operands</source><translation>fp8 操作数的最大绝对值</translation></message>
    <message><source>the checkpoint has no scales of {}, which is computed in fp8</source><translation>检查点中没有以 fp8 计算的 {} 的缩放因子</translation></message>
    <message><source>parallel.tp_size: {} ranks share every layer, and the mesh of this program has {} for it: set it to {}, or train the recipe with trainyard launch</source><translation>parallel.tp_size：{} 个进程共享每一层，而此程序的网格为其提供 {} 个：请设为 {}，或用 trainyard launch 训练该配方</translation></message>
    <message><source>quantization.method: {}</source><translation>quantization.method：{}</translation></message>
    <message><source>parallel.tp_size: no rank has the weights whole; a program that reads them from the model needs a size of 1</source><translation>parallel.tp_size：没有进程拥有完整权重；从模型读取权重的程序需要大小为 1</translation></message>
    <message><source>parallel.tp_size: a model that is called has all its layers whole; ranks that share them are trained from a recipe (trainyard launch RECIPE.yaml)</source><translation>parallel.tp_size：被调用的模型拥有全部完整的层；共享层的进程通过配方训练 (trainyard launch RECIPE.yaml)</translation></message>
    <message><source>gradients of shared heads</source><translation>共享头的梯度</translation></message>
    <message><source>quantization.method: weights stay in 4 and 8 bits on processors alone in this version: set it to no, or start with --cpu</source><translation>quantization.method：此版本仅在 CPU 上保持 4 位和 8 位权重：请设为 no，或以 --cpu 启动</translation></message>
    <message><source>gradient to be looked at</source><translation>待检查的梯度</translation></message>
    <message><source>choose the folder that the program starts in</source><translation>请选择程序启动所在的文件夹</translation></message>
    <message><source>choose an interpreter that has it, or install it there</source><translation>请选择已安装它的解释器，或在那里安装</translation></message>
    <message><source>path or list of paths</source><translation>路径或路径列表</translation></message>
    <message><source>list of two numbers</source><translation>两个数的列表</translation></message>
    <message><source>table or list</source><translation>表或列表</translation></message>
    <message><source>{} holds the class &apos;{}&apos;, and model.id2label has {}</source><translation>{} 含有类别 &apos;{}&apos;，而 model.id2label 有 {}</translation></message>
    <message><source>{} holds the class {}, and model.num_labels is {}: classes are whole numbers from 0 to {}</source><translation>{} 含有类别 {}，而 model.num_labels 为 {}：类别是 0 到 {} 的整数</translation></message>
    <message><source>data.label_column: {}</source><translation>data.label_column：{}</translation></message>
    <message><source>{} has no [MASK] or &lt;mask&gt;, which masked_lm needs: take the tokenizer of a masked language model</source><translation>{} 没有 masked_lm 所需的 [MASK] 或 &lt;mask&gt;：请使用掩码语言模型的分词器</translation></message>
    <message><source>it makes tokens of text, and {} in {} holds whole numbers: leave it out</source><translation>它从文本生成词元，而 {}（位于 {}）含有整数：请去掉它</translation></message>
    <message><source>the files hold no tokens: name others</source><translation>文件中没有词元：请指定其他文件</translation></message>
    <message><source>the data holds the token {}, so it must be at least {}, not {}</source><translation>数据含有词元 {}，因此必须至少为 {}，而不是 {}</translation></message>
    <message><source>the data has {} tokens, less than one sample of data.sequence_length ({}): add data or shorten the samples</source><translation>数据有 {} 个词元，少于 data.sequence_length ({}) 的一个样本：请增加数据或缩短样本</translation></message>
    <message><source>: the nearest of {} are {}</source><translation>：{} 个中最接近的是 {}</translation></message>
    <message><source>{}; `trainyard launch RECIPE --dry-run` prints every key</source><translation>{}；`trainyard launch RECIPE --dry-run` 会打印所有键</translation></message>
    <message><source>{}; no single change is enough, but it fits on {} devices with {}</source><translation>{}；任何单项更改都不够，但在 {} 个设备上使用 {} 即可容纳</translation></message>
    <message><source>plugins: {} took longer than {} s to load: registration must not wait for anything</source><translation>plugins：加载 {} 超过 {} 秒：注册时不得等待任何操作</translation></message>
    <message><source>plugins: {} crashed while it was loaded (signal {}, {}){}</source><translation>plugins：{} 在加载时崩溃（信号 {}，{}）{}</translation></message>
    <message><source>plugins: {} could not be checked by {}: {}</source><translation>plugins：{} 无法由 {} 检查：{}</translation></message>
    <message><source>the answer of trainyard-worker</source><translation>trainyard-worker 的回答</translation></message>
    <message><source>the disk of {} is full: {} free, checkpoints and logs need {}: make room, or choose another place with --run_dir or TRAINYARD_RUNS</source><translation>{} 所在的磁盘已满：可用 {}，检查点和日志需要 {}：请腾出空间，或用 --run_dir 或 TRAINYARD_RUNS 选择其他位置</translation></message>
    <message><source>Trainyard has a tracker named &apos;{}&apos;: give the tracker of the plug-in another name</source><translation>Trainyard 已有名为 &apos;{}&apos; 的跟踪器：请为插件的跟踪器另取名称</translation></message>
    <message><source>the plug-in {} ({}) failed while it registered its parts: {}</source><translation>插件 {}（{}）在注册其组件时失败：{}</translation></message>
    <message><source>on {}</source><translation>在 {} 上</translation></message>
    <message><source>waiting for the tracker &apos;{}&apos;: {} records are left, the limit is {:g} s</source><translation>正在等待跟踪器 &apos;{}&apos;：还剩 {} 条记录，时限为 {:g} 秒</translation></message>
    <message><source>the tracker &apos;{}&apos; did not deliver {} of {} records within {:g} s of the end</source><translation>跟踪器 &apos;{}&apos; 未送出 {} 条记录（共 {} 条），已超过结束后 {:g} 秒的时限</translation></message>
    <message><source>the tracker &apos;{}&apos; did not finish within {:g} s of the end</source><translation>跟踪器 &apos;{}&apos; 在结束后 {:g} 秒内未完成</translation></message>
    <message><source>the tracker &apos;{}&apos; did not start: {}</source><translation>跟踪器 &apos;{}&apos; 未能启动：{}</translation></message>
    <message><source>the tracker &apos;{}&apos; could not be created: {}</source><translation>无法创建跟踪器 &apos;{}&apos;：{}</translation></message>
    <message><source>{} of run {} is on {}: `trainyard runs fetch {} {}` copies it to this machine</source><translation>运行 {1} 的 {0} 在 {2} 上：`trainyard runs fetch {3} {4}` 将其复制到本机</translation></message>
    <message><source>copies its last checkpoint to this machine; a launch with --set checkpoint.resume_from={} continues from it</source><translation>将其最后一个检查点复制到本机；使用 --set checkpoint.resume_from={} 启动即可从中继续</translation></message>
    <message><source>disk full</source><translation>磁盘已满</translation></message>
    <message><source>the disk of {} is full: {} has written nothing for {}, and continues once there is room; ranks may still train</source><translation>{} 所在的磁盘已满：{} 已有 {} 未写入任何内容，有空间后会继续；各 rank 可能仍在训练</translation></message>
    <message><source>the weights {}</source><translation>权重 {}</translation></message>
    <message><source>{}: look for values that are not finite in the weights (trainyard checkpoints verify {}) and in the data, or lower optimizer.lr</source><translation>{}：请检查权重（trainyard checkpoints verify {}）和数据中的非有限值，或降低 optimizer.lr</translation></message>
    <message><source>{}: look for values that are not finite in the data, or lower optimizer.lr and resume from a good checkpoint</source><translation>{}：请检查数据中的非有限值，或降低 optimizer.lr 并从正常的检查点继续</translation></message>
    <message><source>plug-in {}: {}</source><translation>插件 {}：{}</translation></message>
    <message><source>{}: engine is {}, which does not start there ({}): name the file `trainyard` of the host, or set an empty engine, so that the one of this machine is copied</source><translation>{}：engine 为 {}，在该主机上无法启动（{}）：请指定该主机上的 `trainyard` 文件，或将 engine 设为空以复制本机的程序</translation></message>
    <message><source>it answers, but its key is not trusted</source><translation>它有响应，但其密钥不受信任</translation></message>
    <message><source>{}
  try: {}</source><translation>{}
  请尝试：{}</translation></message>
    <message><source>Accelerate&apos;s flag for the Intel extension of PyTorch; without effect</source><translation>Accelerate 用于 PyTorch 的 Intel 扩展的标志；不起作用</translation></message>
    <message><source>Accelerate&apos;s flag for the Intel extension on XPU; without effect</source><translation>Accelerate 用于 XPU 上 Intel 扩展的标志；不起作用</translation></message>
    <message><source>One machine</source><translation>单台机器</translation></message>
    <message><source>Processes of a machine</source><translation>每台机器的进程数</translation></message>
    <message><source>Rendezvous address</source><translation>会合地址</translation></message>
    <message><source>Threads of oneCCL per process (CCL_WORKER_COUNT of scripts)</source><translation>每个进程的 oneCCL 线程数（脚本的 CCL_WORKER_COUNT）</translation></message>
    <message><source>torchrun&apos;s name for --num_machines: N, or FEWEST:MOST</source><translation>torchrun 对 --num_machines 的称呼：N，或 最少:最多</translation></message>
    <message><source>torchrun&apos;s way to say --main_process_ip and --main_process_port: HOST or HOST:PORT</source><translation>torchrun 表示 --main_process_ip 和 --main_process_port 的方式：HOST 或 HOST:PORT</translation></message>
    <message><source>torchrun&apos;s way to say --num_processes: N for each machine, or `auto`, `gpu`, `cpu`</source><translation>torchrun 表示 --num_processes 的方式：每台机器 N 个，或 `auto`、`gpu`、`cpu`</translation></message>
    <message><source>torchrun&apos;s way to say one machine and a free port</source><translation>torchrun 表示单台机器和空闲端口的方式</translation></message>
    <message><source>sharding.offload_folder: {}</source><translation>sharding.offload_folder: {}</translation></message>
    <message><source>fp8 has no effect with mixed_precision {}: set that to fp8, or leave this out</source><translation>mixed_precision 为 {} 时 fp8 不起作用：请将其设为 fp8，或省略此项</translation></message>
    <message><source>{} is &apos;{}&apos;: it must be a whole number</source><translation>{} 为“{}”：必须是整数</translation></message>
    <message><source>{} is &apos;{}&apos;: it must be true or false</source><translation>{} 为“{}”：必须是 true 或 false</translation></message>
    <message><source>{} is &apos;{}&apos;: choose {} or {}</source><translation>{} 为“{}”：请选择 {} 或 {}</translation></message>
    <message><source>fp8_format E5M2: {}</source><translation>fp8_format E5M2：{}</translation></message>
    <message><source>{} is &apos;{}&apos;: choose TE or AO</source><translation>{} 为“{}”：请选择 TE 或 AO</translation></message>
    <message><source>fp8_backend MSAMP: {}</source><translation>fp8_backend MSAMP：{}</translation></message>
    <message><source>mixed_precision: {}</source><translation>mixed_precision：{}</translation></message>
    <message><source>fsdp_min_num_params 0 wraps nothing, so that all weights are gathered at once: use a size such as 100000000</source><translation>fsdp_min_num_params 为 0 时不包装任何模块，所有权重会一次性聚集：请使用例如 100000000 的大小</translation></message>
    <message><source>it has the configurations {}: name one of them, as in hub:{}/{}</source><translation>它有配置 {}：请指定其中之一，例如 hub:{}/{}</translation></message>
    <message><source>it does not have the configuration {}, but {}</source><translation>它没有配置 {}，但有 {}</translation></message>
    <message><source>{} is not a file or folder here, and {}</source><translation>{} 不是此处的文件或文件夹，并且 {}</translation></message>
    <message><source>it does not have Parquet files</source><translation>它没有 Parquet 文件</translation></message>
    <message><source>it does not have Parquet files of the split {}</source><translation>它没有划分 {} 的 Parquet 文件</translation></message>
    <message><source>it does not have a tokenizer.json</source><translation>它没有 tokenizer.json</translation></message>
    <message><source>has no matrices in {}, and with model.device_map they have to be there: quantize the folder first (trainyard quantize), or leave model.device_map out</source><translation>没有 {} 格式的矩阵，而使用 model.device_map 时必须已有：请先量化该文件夹（trainyard quantize），或省略 model.device_map</translation></message>
    <message><source>weights are kept on a disk with ZeRO stage 3, which reads those of a unit before it computes, and zero_stage is {}: set it to 3, or offload_param_device to none</source><translation>权重只能在 ZeRO 第 3 阶段保存在磁盘上（在一个单元计算之前读取其权重），而 zero_stage 为 {}：请将其设为 3，或将 offload_param_device 设为 none</translation></message>
    <message><source>nvme needs a folder: set {} to one on a fast local disk</source><translation>nvme 需要一个文件夹：请将 {} 设为快速本地磁盘上的文件夹</translation></message>
    <message><source>has no effect without {}: set that to nvme, or leave the folder out</source><translation>没有 {} 时不起作用：请将其设为 nvme，或去掉该文件夹</translation></message>
    <message><source>the capacity of an expert is that of a whole sample; set it to 0</source><translation>专家容量针对整个样本；请设为 0</translation></message>
    <message><source>does not work with {} {}: {}</source><translation>不能与 {} {} 一起使用：{}</translation></message>
    <message><source>has an effect with parallel.tp_size above 1 alone, which is 1: set that, or leave this out</source><translation>仅在 parallel.tp_size 大于 1 时有效，而它是 1：请设置它，或去掉此项</translation></message>
    <message><source>{}: ranks share the layers of GPT-2 and of decoders that are trained as causal_lm, and this is {}, trained as {}: set it to 1</source><translation>{}：只有 GPT-2 和以 causal_lm 训练的解码器的层可由多个 rank 共享，而这是 {}，以 {} 训练：请设为 1</translation></message>
    <message><source>data.sequence_length ({}) does not divide among {} ranks: make it a multiple of {}</source><translation>data.sequence_length（{}）不能被 {} 个 rank 整除：请设为 {} 的倍数</translation></message>
    <message><source>{}: experts have a capacity, and {} has none: set it to 0, or take a model with experts, such as mixtral</source><translation>{}：容量属于专家，而 {} 没有专家：请设为 0，或使用带专家的模型，例如 mixtral</translation></message>
    <message><source>{} ranks that shard the weights do not divide into groups of {} ranks that divide the experts: make dp_shard_size a multiple of {}, or change ep_size</source><translation>分片权重的 {} 个 rank 不能分成每组 {} 个、共同划分专家的 rank：请把 dp_shard_size 设为 {} 的倍数，或更改 ep_size</translation></message>
    <message><source>&apos;{}&apos; is not a name of a model: write hub:org/name or hub:org/name@REVISION</source><translation>&apos;{}&apos; 不是模型名称：请写 hub:org/name 或 hub:org/name@REVISION</translation></message>
    <message><source>&apos;{}&apos; is not a name of a data set: write hub:org/name, with @REVISION, /CONFIG and :SPLIT where they are needed</source><translation>&apos;{}&apos; 不是数据集名称：请写 hub:org/name，必要时加上 @REVISION、/CONFIG 和 :SPLIT</translation></message>
    <message><source>expert shards</source><translation>专家分片</translation></message>
    <message><source>{momentum: 0.9}</source><translation>{momentum: 0.9}</translation></message>
    <message><source>a mesh of more than {} ranks is not simulated</source><translation>不模拟超过 {} 个 rank的网格</translation></message>
    <message><source>{:g} bytes × {} parameters that are divided before they are laid out</source><translation>{:g} 字节 × {} 个在排布之前被切分的参数</translation></message>
    <message><source>{:g} × {:g} other ranks × {} tokens × {:g} bytes of a layer&apos;s exchange</source><translation>{:g} × {:g} 个其他 rank × {} 个词元 × 每层交换的 {:g} 字节</translation></message>
    <message><source>{} tokens × {:g} bytes of a block&apos;s experts, whose rows change with every step</source><translation>{} 个词元 × 一个块的专家的 {:g} 字节，其行数每步都变</translation></message>
    <message><source>the cache of the hub cannot be written: {}: {}: choose another place with HF_HOME or HF_HUB_CACHE</source><translation>无法写入 hub 缓存：{}：{}：请用 HF_HOME 或 HF_HUB_CACHE 选择其他位置</translation></message>
    <message><source>{} needs {}, and the disk of {} has {} free: make room, or choose another place with HF_HOME or HF_HUB_CACHE</source><translation>{} 需要 {}，而 {} 所在磁盘剩余 {}：请腾出空间，或用 HF_HOME 或 HF_HUB_CACHE 选择其他位置</translation></message>
    <message><source>the download of {} was cancelled: the next one continues it</source><translation>{} 的下载已取消：下一次会继续</translation></message>
    <message><source>{} arrived with a wrong hash: downloading it once more</source><translation>{} 的哈希不正确：重新下载一次</translation></message>
    <message><source>{} of {} arrived with the hash {} instead of {}: a proxy or the disk changes it, or the hub is at fault; nothing of it was stored</source><translation>{1} 的 {0} 的哈希为 {2}，而不是 {3}：代理或磁盘改变了内容，或 hub 有误；未保存任何内容</translation></message>
    <message><source>it does not have {}, which {} names</source><translation>它没有 {1} 中列出的 {0}</translation></message>
    <message><source>it has {} that names no files of weights, or more than {}</source><translation>它的 {} 没有列出权重文件，或超过 {} 个</translation></message>
    <message><source>it has weights in pickle files (pytorch_model.bin) only, which are downloaded on request alone, because other programs execute code that they contain: trainyard download --bin NAME</source><translation>它只有 pickle 文件中的权重（pytorch_model.bin），这类文件只在明确要求时下载，因为其他程序会执行其中的代码：trainyard download --bin NAME</translation></message>
    <message><source>it does not have weights in safetensors (model.safetensors or an index of its shards)</source><translation>它没有 safetensors 权重（model.safetensors 或其分片索引）</translation></message>
    <message><source>{} is not in the cache of the hub on this machine ({}): download it with `trainyard download {}{}`</source><translation>{} 不在本机的 hub 缓存中（{}）：请用 `trainyard download {}{}` 下载</translation></message>
    <message><source>{}, on a machine with the network: HF_HUB_OFFLINE forbids requests</source><translation>{}，请在联网的机器上进行：HF_HUB_OFFLINE 禁止请求</translation></message>
    <message><source>{} on {} cannot be used: {}</source><translation>{1} 上的 {0} 无法使用：{2}</translation></message>
    <message><source>{} answered with status {} when it was asked for {}: asking again in {}</source><translation>请求 {2} 时，{0} 返回状态 {1}：{3} 后重试</translation></message>
    <message><source>the connection to {} broke ({}): asking again for {} in {}</source><translation>到 {} 的连接中断（{}）：{3} 后重新请求 {2}</translation></message>
    <message><source>{} cannot be asked for {}: {}: check the network, https_proxy and HF_ENDPOINT; with HF_HUB_OFFLINE=1 only what is in the cache is used</source><translation>无法向 {} 请求 {}：{}：请检查网络、https_proxy 和 HF_ENDPOINT；设置 HF_HUB_OFFLINE=1 时只使用缓存中的内容</translation></message>
    <message><source>{} refuses to answer for {} because of too many requests (status 429): try again in {}</source><translation>由于请求过多，{} 拒绝为 {} 应答（状态 429）：请在 {} 后重试</translation></message>
    <message><source>{} refuses to answer for {} because of too many requests (status 429): try again later</source><translation>由于请求过多，{} 拒绝为 {} 应答（状态 429）：请稍后重试</translation></message>
    <message><source>{} answered with status {} when it was asked for {}: try again later</source><translation>请求 {2} 时，{0} 返回状态 {1}：请稍后重试</translation></message>
    <message><source>{} is gated: ask for access on {}, and set HF_TOKEN to a token of that account (hf auth login)</source><translation>{} 需要授权访问：请在 {} 申请访问，并将 HF_TOKEN 设为该账户的令牌（hf auth login）</translation></message>
    <message><source>{} on {} does not have the revision {}: check the branch, tag or commit</source><translation>{1} 上的 {0} 没有修订版 {2}：请检查分支、标签或提交</translation></message>
    <message><source>{} on {} does not have {}</source><translation>{1} 上的 {0} 没有 {2}</translation></message>
    <message><source>{} does not accept the access token: make a new one, and write it to HF_TOKEN (hf auth login)</source><translation>{} 不接受该访问令牌：请创建新的令牌并写入 HF_TOKEN（hf auth login）</translation></message>
    <message><source>{} does not allow to read {}: the access token in HF_TOKEN needs the permission to read it</source><translation>{} 不允许读取 {}：HF_TOKEN 中的访问令牌需要读取权限</translation></message>
    <message><source>check the name, or set HF_TOKEN to a token that may read it</source><translation>请检查名称，或将 HF_TOKEN 设为有读取权限的令牌</translation></message>
    <message><source>check the name, and whether the access token may read it</source><translation>请检查名称，以及访问令牌是否有读取权限</translation></message>
    <message><source>{} has no public model named {}: {}</source><translation>{} 没有名为 {} 的公开模型：{}</translation></message>
    <message><source>{} has no public data set named {}: {}</source><translation>{} 没有名为 {} 的公开数据集：{}</translation></message>
    <message><source>{} answered with status {} when it was asked for {} of {}</source><translation>请求 {3} 的 {2} 时，{0} 返回状态 {1}</translation></message>
    <message><source>the answer of {} for {} does not list files: check HF_ENDPOINT</source><translation>{} 对 {} 的应答没有列出文件：请检查 HF_ENDPOINT</translation></message>
    <message><source>{} does not say the size and the hash of {} of {}: check HF_ENDPOINT and the proxy</source><translation>{0} 没有给出 {2} 的 {1} 的大小和哈希：请检查 HF_ENDPOINT 和代理</translation></message>
    <message><source>{} of {} ended after {} of {} bytes on {}</source><translation>{4} 上 {1} 的 {0} 在 {2}/{3} 字节后结束</translation></message>
    <message><source>the connection to {} broke after {} of {}: continuing</source><translation>到 {} 的连接在收到 {2} 的 {1} 后中断：继续下载</translation></message>
    <message><source>the codes of a matrix of {} × {} take {} bytes, and its file has {}</source><translation>{} × {} 矩阵的编码需要 {} 字节，而其文件有 {}</translation></message>
    <message><source>a list of names</source><translation>名称列表</translation></message>
    <message><source>{} is not a key of a quantization: there are {}</source><translation>{} 不是量化配置的键：现有 {}</translation></message>
    <message><source>{} is {}, and has to be {}</source><translation>{} 为 {}，必须是 {}</translation></message>
    <message><source>set load_in_4bit or load_in_8bit, and one of them alone</source><translation>请设置 load_in_4bit 或 load_in_8bit，且只能设置其中一个</translation></message>
    <message><source>bnb_4bit_quant_type is &apos;{}&apos;: choose fp4 or nf4</source><translation>bnb_4bit_quant_type 为“{}”：请选择 fp4 或 nf4</translation></message>
    <message><source>llm_int8_threshold is {}: give a magnitude, or 0 for none</source><translation>llm_int8_threshold 为 {}：请给出数值，0 表示没有</translation></message>
    <message><source>{} is &apos;{}&apos;: choose fp32, fp16 or bf16</source><translation>{} 为“{}”：请选择 fp32、fp16 或 bf16</translation></message>
    <message><source>{} is on disk, and a model is saved from memory: load it with another device map</source><translation>{} 位于磁盘上，而模型从内存保存：请用其他设备映射加载</translation></message>
    <message><source>a quantization is a JSON object with the names of BnbQuantizationConfig</source><translation>量化配置是使用 BnbQuantizationConfig 名称的 JSON 对象</translation></message>
    <message><source>llm_int8_threshold has no effect with load_in_4bit</source><translation>使用 load_in_4bit 时 llm_int8_threshold 不起作用</translation></message>
    <message><source>&apos;{}&apos; is on {}, and weights stay in 4 and 8 bits on processors alone in this version: map it to cpu or disk</source><translation>“{}”位于 {}，而本版本仅在处理器上以 4 位和 8 位保存权重：请映射到 cpu 或 disk</translation></message>
    <message><source>{} contradicts {} {}: give one of the two</source><translation>{} 与 {} {} 矛盾：请只给出其中之一</translation></message>
    <message><source>&apos;{}&apos; is not of the form {}</source><translation>&apos;{}&apos; 不符合格式 {}</translation></message>
    <message><source>N, auto, gpu or cpu</source><translation>N、auto、gpu 或 cpu</translation></message>
    <message><source>the engine&apos;s products in fp8 do not need it</source><translation>引擎的 fp8 乘积不需要它</translation></message>
    <message><source>weights stay on the device that trains, or, of processors, go to a disk (nvme): set it to none</source><translation>权重保留在训练所用的设备上；使用处理器训练时可放到磁盘（nvme）：请设为 none</translation></message>
    <message><source>PyTorch itself does what the Intel extension did</source><translation>PyTorch 自身已实现 Intel 扩展的功能</translation></message>
    <message><source>the ranks of tp_size share each expert, too, with the same results</source><translation>tp_size 的各 rank 也共享每个专家，结果相同</translation></message>
    <message><source>the recipe&apos;s model has its own</source><translation>配方的模型有自己的值</translation></message>
    <message><source>take distributed_type FSDP, or set parallel.zero_stage in the recipe</source><translation>请使用 distributed_type FSDP，或在配方中设置 parallel.zero_stage</translation></message>
    <message><source>the labels of the data say what counts: leave it out</source><translation>数据的标签决定哪些计入：请去掉它</translation></message>
    <message><source>blocks are divided so that all stages cost about as much: leave it out</source><translation>各块的划分使所有阶段的开销大致相等：请去掉它</translation></message>
    <message><source>the engine trains the recipe itself and does not need it</source><translation>引擎自行训练配方，不需要它</translation></message>
    <message><source>--{} is of Accelerate up to 1.12 and has no effect: PyTorch itself does what the Intel extension did</source><translation>--{} 属于 Accelerate 1.12 及更早版本，不再起作用：PyTorch 自身已实现 Intel 扩展的功能</translation></message>
    <message><source>counts the processes of one machine, and {} has num_machines {}: give --nnodes, too</source><translation>表示一台机器的进程数，而 {} 中 num_machines 为 {}：请同时给出 --nnodes</translation></message>
    <message><source>node {} cannot reach the node with node_rank 0 at {}:{}: start it, and check master_addr and port</source><translation>节点 {} 无法连接 node_rank 为 0 的节点 {}:{}：请启动它，并检查 master_addr 和 port</translation></message>
    <message><source>of {} nodes these did not call at {}:{} in time: {}</source><translation>{} 个节点中以下节点未及时连接 {}:{}：{}</translation></message>
    <message><source>node {} of {} called, and this is node 0 of {}: give all nodes the same num_nodes</source><translation>节点 {}（共 {} 个）已连接，而本机是共 {} 个中的节点 0：请为所有节点给出相同的 num_nodes</translation></message>
    <message><source>node_rank {} is not from 0 to {}, the number of nodes less 1</source><translation>node_rank {} 不在 0 到 {}（节点数减 1）之间</translation></message>
    <message><source>{} nodes need a port at which they meet: give all of them the same one</source><translation>{} 个节点需要一个会合端口：请为它们给出相同的端口</translation></message>
    <message><source>the node with node_rank 0 at {}:{} did not answer in time</source><translation>node_rank 为 0 的节点 {}:{} 未及时应答</translation></message>
    <message><source>this version offloads weights to disk only for ranks on processors, and these train on {}: set it to none, or start with --cpu</source><translation>此版本仅支持处理器上的 rank将权重卸载到磁盘，而这些 rank在 {} 上训练：请设为 none，或使用 --cpu 启动</translation></message>
    <message><source>quantization.{}: &apos;{}&apos; is not a Linear layer of the model: there are {}</source><translation>quantization.{}：“{}”不是模型的 Linear 层：现有 {}</translation></message>
    <message><source>{}.{} is {}: it must be {}</source><translation>{}.{} 为 {}：必须是 {}</translation></message>
    <message><source>a magnitude, 0 or more</source><translation>不小于 0 的数值</translation></message>
    <message><source>{}.{} is not a key of bitsandbytes&apos; configuration, so this version cannot tell what it changes: remove it if it does not affect the weights</source><translation>{}.{} 不是 bitsandbytes 配置的键，因此本版本无法判断它改变什么：如果它不影响权重，请将其删除</translation></message>
    <message><source>{} asks for 4 and for 8 bits: set load_in_4bit or load_in_8bit to false</source><translation>{} 同时要求 4 位和 8 位：请将 load_in_4bit 或 load_in_8bit 设为 false</translation></message>
    <message><source>{} describes a model of type &apos;{}&apos;: GPT-2 and Llama-like decoders without experts can be quantized</source><translation>{} 描述的模型类型为“{}”：可以量化 GPT-2 和不含专家的 Llama 类解码器</translation></message>
    <message><source>parallel.offload_param_device: {}</source><translation>parallel.offload_param_device: {}</translation></message>
    <message><source>weights on a disk are for ranks on processors in this version: set it to none, or start with --cpu</source><translation>此版本仅支持处理器上的 rank将权重放在磁盘上：请设为 none，或使用 --cpu 启动</translation></message>
    <message><source>the ranks share out the optimizer state (parallel.zero_stage), and a state dictionary needs all of it: make the FlatOptimizer with the FlatModel instead of its arena, or set parallel.zero_stage to 0</source><translation>各 rank 分担优化器状态（parallel.zero_stage），而状态字典需要全部状态：请用 FlatModel 而不是其 arena 创建 FlatOptimizer，或将 parallel.zero_stage 设为 0</translation></message>
    <message><source>values are not read any more</source><translation>不再读取数值</translation></message>
    <message><source>mixed_precision is &apos;{}&apos;: choose no, fp16, bf16 or fp8</source><translation>mixed_precision 为“{}”：请选择 no、fp16、bf16 或 fp8</translation></message>
    <message><source>raise training.steps above {}</source><translation>请将 training.steps 增大到 {} 以上</translation></message>
    <message><source>{} names no hosts: write one on each line</source><translation>{} 没有列出主机：请每行写一个</translation></message>
    <message><source>asks for a password: {}</source><translation>要求输入密码：{}</translation></message>
    <message><source>ssh-copy-id {}, or another way to log in without a password</source><translation>ssh-copy-id {}，或其他免密码登录方式</translation></message>
    <message><source>no answer within {} s</source><translation>{} 秒内没有应答</translation></message>
    <message><source>ssh {} true, to see whether the host is up and mpirun can log in</source><translation>ssh {} true，查看主机是否在线以及 mpirun 能否登录</translation></message>
    <message><source>mpirun could not start a process: {}</source><translation>mpirun 无法启动进程：{}</translation></message>
    <message><source>launch.machines: this one alone</source><translation>launch.machines：仅本机</translation></message>
    <message><source>Dropout before the head of question_answering.</source><translation>question_answering 头部之前的 dropout。</translation></message>
    <message><source>Modules that stay and multiply in fp32, by their last or whole name, as skip_modules.</source><translation>保持 fp32 并以 fp32 相乘的模块，按其末段或完整名称指定，与 skip_modules 相同。</translation></message>
    <message><source>Number formats</source><translation>数值格式</translation></message>
    <message><source>The weights of a token&apos;s experts are divided by their sum.</source><translation>每个词元的专家权重除以它们的总和。</translation></message>
    <message><source>Under zero_stage 3, modules that are not sharded but whole on every rank at any time: a regular expression that matches their whole names, such as transformer\.h\.0 or lm_head. Their gradients are averaged as those of the others.</source><translation>zero_stage 3 时不分片、在每个进程上始终完整的模块：匹配其完整名称的正则表达式，例如 transformer\.h\.0 或 lm_head。其梯度与其他模块一样取平均。</translation></message>
    <message><source>Width inside an expert.</source><translation>单个专家内部的宽度。</translation></message>
    <message><source>Width inside the expert that computes every token.</source><translation>处理每个词元的共享专家内部的宽度。</translation></message>
    <message><source>prepare: {} optimizers are prepared: name the one that the DummyScheduler follows</source><translation>prepare：已准备 {} 个优化器：请指定 DummyScheduler 跟随的那一个</translation></message>
    <message><source>project.save_on_each_node: a folder of shares (SHARDED_STATE_DICT) needs the files of all ranks in one place: set the state dict to FULL_STATE_DICT, or save_on_each_node to false</source><translation>project.save_on_each_node：分片文件夹（SHARDED_STATE_DICT）需要所有进程的文件在同一位置：请设为 FULL_STATE_DICT，或将 save_on_each_node 设为 false</translation></message>
    <message><source>first ranks of the machines</source><translation>各机器的第一个 rank</translation></message>
    <message><source>{} has no effect with use_mxfp8_block_scaling: leave it out</source><translation>使用 use_mxfp8_block_scaling 时 {} 不起作用：请省略</translation></message>
    <message><source>ignored modules</source><translation>被忽略的模块</translation></message>
    <message><source>sharding.ignored_modules: {}</source><translation>sharding.ignored_modules：{}</translation></message>
    <message><source>sharding.ignored_classes: no block of the model is of the class &apos;{}&apos;</source><translation>sharding.ignored_classes：模型中没有类为“{}”的块</translation></message>
    <message><source>the processor has no products of {} ({}), so operands are widened to fp32, which saves memory and no time</source><translation>处理器没有 {} 乘法（{}），操作数会扩展为 fp32，因此节省内存而不节省时间</translation></message>
    <message><source>{} needs compute capability {}.{}, and {} has {}.{}</source><translation>{} 需要计算能力 {}.{}，而 {} 为 {}.{}</translation></message>
    <message><source>the processor</source><translation>处理器</translation></message>
    <message><source>TensorFloat-32 is for NVIDIA GPUs</source><translation>TensorFloat-32 仅用于 NVIDIA GPU</translation></message>
    <message><source>the GPU has no matrix units for fp16, which saves memory and no time</source><translation>该 GPU 没有 fp16 矩阵单元，因此节省内存而不节省时间</translation></message>
    <message><source>this version rounds operands to 8 bits and multiplies them in fp32, which saves no time</source><translation>此版本将操作数舍入为 8 位并以 fp32 相乘，因此不节省时间</translation></message>
    <message><source>weights stay in 4 and 8 bits on processors alone in this version</source><translation>在此版本中，权重仅在处理器上保持 4 位和 8 位</translation></message>
    <message><source>emulated: {}</source><translation>模拟：{}</translation></message>
    <message><source>not on this device: {}</source><translation>此设备不支持：{}</translation></message>
    <message><source>must be a list of {} numbers above 0, one for each channel of the model&apos;s images</source><translation>必须是 {} 个大于 0 的数的列表，模型图像的每个通道一个</translation></message>
    <message><source>must be a list of {} numbers, one for each channel of the model&apos;s images</source><translation>必须是 {} 个数的列表，模型图像的每个通道一个</translation></message>
    <message><source>is {}, and the model takes images of model.image_size ({}): leave it out</source><translation>为 {}，而模型接受 model.image_size（{}）大小的图像：请省略该键</translation></message>
    <message><source>{} has the columns {}, not ending0, ending1, ...: name those of the choices</source><translation>{} 的列为 {}，没有 ending0、ending1 等：请指定选项所在的列</translation></message>
    <message><source>{} does not work on {} ({}): set it to no, or start with --cpu</source><translation>{} 在 {} 上不可用（{}）：请设为 no，或使用 --cpu 启动</translation></message>
    <message><source>{}: {} is emulated on {}: {}</source><translation>{}：{} 在 {} 上为模拟：{}</translation></message>
    <message><source>{}: has no effect on {}: {}</source><translation>{}：在 {} 上不起作用：{}</translation></message>
    <message><source>&apos;{}&apos; matches the whole name of no module with parameters: correct the regular expression, or leave it out</source><translation>“{}”不匹配任何带参数模块的完整名称：请改正正则表达式，或省略它</translation></message>
    <message><source>metrics need whole sequences and logits on one rank; leave them out</source><translation>指标需要一个 rank 上有完整的序列和 logits；请去掉它们</translation></message>
    <message><source>matrices are read and packed whole in this version; set it to no</source><translation>此版本会整体读取并打包矩阵；请设为 no</translation></message>
    <message><source>sequence_classification, sentence_embedding, question_answering and multiple_choice</source><translation>sequence_classification、sentence_embedding、question_answering 和 multiple_choice</translation></message>
    <message><source>classification, question_answering, multiple_choice, and on sentence_embedding with model.loss cosine_similarity</source><translation>分类、question_answering、multiple_choice，以及 model.loss 为 cosine_similarity 的 sentence_embedding</translation></message>
    <message><source>a single choice is always right: name from 2 columns on</source><translation>只有一个选项时总是正确的：请至少指定 2 列</translation></message>
    <message><source>is {}, and a sample has data.sequence_length ({}) tokens: parts of a text that share all of them never end, so give less</source><translation>为 {}，而一个样本有 data.sequence_length（{}）个 token：共享全部 token 的文本片段永远不会结束，请给出更小的值</translation></message>
    <message><source>finds classes in names of image files, and {} has a column of them: leave it out, or take images</source><translation>从图像文件名中查找类别，而 {} 有类别列：请省略该键，或使用 images</translation></message>
    <message><source>{} is not trained in pipeline stages in this version: set it to 1</source><translation>此版本不支持以流水线阶段训练 {}：请设为 1</translation></message>
    <message><source>evaluations of {} compute {} without being asked: leave it out</source><translation>{} 的评估总会计算 {}：请省略</translation></message>
    <message><source>{} is not a metric of {}: {}</source><translation>{} 不是 {} 的指标：{}</translation></message>
    <message><source>leave it out</source><translation>请省略</translation></message>
    <message><source>take {}</source><translation>请使用 {}</translation></message>
    <message><source>&apos;{}&apos; is not known{}: metrics of plug-ins need their shared library in plugins</source><translation>未知的指标“{}”{}：插件的指标需要在 plugins 中给出其共享库</translation></message>
    <message><source>evaluations do not compute {}: add it to training.metrics</source><translation>评估不计算 {}：请将其加入 training.metrics</translation></message>
    <message><source>evaluations of {} do not compute {}: take another curve</source><translation>{} 的评估不计算 {}：请选择其他曲线</translation></message>
    <message><source>the weights and gradients of rank {}</source><translation>rank {} 的权重和梯度</translation></message>
    <message><source>{}: rank {} sends {} bytes to rank {}, which expects {}. Let the ranks agree on the numbers of rows first.</source><translation>{}：rank {} 发送 {} 字节给 rank {}，而后者期望 {} 字节。请让各 rank 先就行数达成一致。</translation></message>
    <message><source>tensor parallel ranks share the positions between the layers, too</source><translation>张量并行的 rank 在层之间也分摊位置</translation></message>
    <message><source>of the experts of a block, for each sample; 0: nothing is dropped</source><translation>块中专家的容量系数，按每个样本计算；0：不丢弃</translation></message>
    <message><source>{} &apos;{}&apos;: give a number from {} to {}</source><translation>{}“{}”：请给出 {} 到 {} 之间的数</translation></message>
    <message><source>expert_capacity_factor {}: the model has no experts, use 0</source><translation>expert_capacity_factor {}：该模型没有专家，请使用 0</translation></message>
    <message><source>data.path: there is no image (.png .jpg .jpeg) in {}</source><translation>data.path：{} 中没有图像（.png .jpg .jpeg）</translation></message>
    <message><source>data.label_pattern: &apos;{}&apos; finds no class in the name of {}: correct the expression, or move the file away</source><translation>data.label_pattern：“{}”在文件名 {} 中找不到类别：请更正表达式，或移走该文件</translation></message>
    <message><source>it begins with neither MMIDIDX nor TNTIDX: write the set again with Megatron-LM&apos;s preprocessing</source><translation>它既不以 MMIDIDX 也不以 TNTIDX 开头：请用 Megatron-LM 的预处理重新写出数据集</translation></message>
    <message><source>its tokens have {} bytes, and those of its type code {} have {}</source><translation>其 token 为 {} 字节，而类型代码 {} 的 token 为 {} 字节</translation></message>
    <message><source>its sequences are tables of several dimensions</source><translation>其序列是多维的表</translation></message>
    <message><source>it claims {} sequences and {} documents, which do not give its {} bytes: sets of fairseq have no documents and cannot be read</source><translation>它声称有 {} 个序列和 {} 个文档，与其 {} 字节不符：fairseq 的数据集没有文档，无法读取</translation></message>
    <message><source>sequence {} has {} tokens</source><translation>序列 {} 有 {} 个 token</translation></message>
    <message><source>{}: {} of timm cannot be trained: {}</source><translation>{}：无法训练 timm 的 {}：{}</translation></message>
    <message><source>of timm&apos;s models this version has plain vision transformers (vit_base_patch16_224 and its kind)</source><translation>在 timm 的模型中，此版本支持普通的 vision transformer（vit_base_patch16_224 之类）</translation></message>
    <message><source>its activation function is not that of transformers&apos; ViT</source><translation>其激活函数与 transformers 的 ViT 不同</translation></message>
    <message><source>its head reads the pool &apos;{}&apos;, not the class token</source><translation>其头部读取池化“{}”，而不是类别 token</translation></message>
    <message><source>its weights have no {}</source><translation>其权重缺少 {}</translation></message>
    <message><source>transformers&apos; ViT has no counterpart of its {}</source><translation>transformers 的 ViT 没有与其 {} 对应的部分</translation></message>
    <message><source>its patches are not squares</source><translation>其图块不是正方形</translation></message>
    <message><source>its images are not squares</source><translation>其图像不是正方形</translation></message>
    <message><source>the number of its attention heads is not known for a width of {}: add it to its config.json as model_args: {{&quot;num_heads&quot;: ...}}</source><translation>宽度为 {} 时注意力头数未知：请在其 config.json 中以 model_args: {{&quot;num_heads&quot;: ...}} 给出</translation></message>
    <message><source>{}: images are cropped as &apos;{}&apos;, and this version crops their center: write a preprocessor_config.json beside it</source><translation>{}：图像按“{}”裁剪，而此版本裁剪中心：请在其旁边写一个 preprocessor_config.json</translation></message>
    <message><source>{} has several weight indexes: give the path of one of them, {}</source><translation>{} 有多个权重索引：请给出其中一个的路径，{}</translation></message>
    <message><source>as always</source><translation>一如既往</translation></message>
    <message><source>&apos;{}&apos; is not a host name</source><translation>“{}”不是主机名</translation></message>
    <message><source>parallel.ignored_modules, where weights are sharded: else every rank has them whole</source><translation>parallel.ignored_modules，用于权重分片时：否则每个进程都有完整权重</translation></message>
    <message><source>the scales of MXFP8 are powers of two, which a margin does not change</source><translation>MXFP8 的缩放因子是 2 的幂，margin 不会改变它们</translation></message>
    <message><source>the optimizer state of all ranks</source><translation>所有 rank 的优化器状态</translation></message>
    <message><source>the weights and gradients of all ranks</source><translation>所有 rank 的权重和梯度</translation></message>
    <message><source>is {}, and question_answering scores two things of a token, whether the answer begins and whether it ends there: give 2</source><translation>为 {}，而 question_answering 对每个 token 打两个分，即答案是否从此开始、是否在此结束：请给出 2</translation></message>
    <message><source>the optimizer state of rank {}</source><translation>rank {} 的优化器状态</translation></message>
    <message><source>data.label_column: row {} has {}, and there are {} choices: give the number of the right one, from 0 to {}</source><translation>data.label_column：第 {} 行为 {}，而有 {} 个选项：请给出正确选项的编号，从 0 到 {}</translation></message>
    <message><source>model.num_labels: {} has {} classes ({}), and num_labels is {}</source><translation>model.num_labels：{} 有 {} 个类别（{}），而 num_labels 为 {}</translation></message>
    <message><source>data.label_column: {} holds no texts of answers</source><translation>data.label_column：{} 不含答案文本</translation></message>
    <message><source>data.label_column: {} and {} must both be lists, or both not</source><translation>data.label_column：{} 和 {} 必须都是列表，或都不是</translation></message>
    <message><source>data.label_column: row {} has {} answers and {} places where they begin</source><translation>data.label_column：第 {} 行有 {} 个答案和 {} 个起始位置</translation></message>
    <message><source>data.label_column: the answers of row {} are not {{&quot;text&quot;: [...], &quot;answer_start&quot;: [...]}}</source><translation>data.label_column：第 {} 行的答案不是 {{&quot;text&quot;: [...], &quot;answer_start&quot;: [...]}}</translation></message>
    <message><source>data.label_column: the answer &apos;{}&apos; of row {} is not in its text: answers are parts of the text, letter by letter</source><translation>data.label_column：第 {1} 行的答案“{0}”不在其文本中：答案必须逐字是文本的一部分</translation></message>
    <message><source>data.label_column: the answer &apos;{}&apos; of row {} is not at character {} of its text: count characters from 0, not bytes or words</source><translation>data.label_column：第 {1} 行的答案“{0}”不在其文本的第 {2} 个字符处：请从 0 开始按字符计数，而不是字节或单词</translation></message>
    <message><source>data.sequence_length: row {}: {}: make it longer, or data.doc_stride less, or shorten the question</source><translation>data.sequence_length：第 {} 行：{}：请增大它、减小 data.doc_stride，或缩短问题</translation></message>
    <message><source>data.sequence_length: the question of row {} has {} tokens, which leaves {} for the text, no more than data.doc_stride ({}): make it longer, or data.doc_stride less</source><translation>data.sequence_length：第 {} 行的问题有 {} 个 token，给文本剩下 {} 个，不超过 data.doc_stride（{}）：请增大它，或减小 data.doc_stride</translation></message>
    <message><source>native</source><translation>原生</translation></message>
    <message><source>USE_FP16: &apos;{}&apos; is neither true nor false: write true or false</source><translation>USE_FP16：“{}”既不是 true 也不是 false：请写 true 或 false</translation></message>
    <message><source>process_group.timeout_s is {}: it must be more than 0 and at most {} seconds</source><translation>process_group.timeout_s 为 {}：必须大于 0 且不超过 {} 秒</translation></message>
    <message><source>process_group.init_method is &apos;{}&apos;: it must be env://, or tcp://host:port</source><translation>process_group.init_method 为“{}”：必须是 env:// 或 tcp://主机:端口</translation></message>
    <message><source>process_group.backend is &apos;{}&apos;, and ranks on {} connect by {}: set it to {}, or leave it out</source><translation>process_group.backend 为“{}”，而 {} 上的进程通过 {} 连接：请设为 {} 或省略</translation></message>
    <message><source>sharding.offload_optimizer_folder: {}</source><translation>sharding.offload_optimizer_folder：{}</translation></message>
    <message><source>optimizer state is kept on a disk with ZeRO stages 1 to 3, and zero_stage is 0: set it to 1, 2 or 3, or leave the folder out</source><translation>优化器状态在 ZeRO 阶段 1 到 3 下保存在磁盘上，而 zero_stage 为 0：请设为 1、2 或 3，或去掉该文件夹</translation></message>
    <message><source>sharding.{}: {}</source><translation>sharding.{}：{}</translation></message>
    <message><source>mixed_precision is fp8, which models with a device map do not have: set it to bf16</source><translation>mixed_precision 为 fp8，带设备映射的模型不支持：请设为 bf16</translation></message>
    <message><source>the device map puts weights on {}, and the accelerator computes on {}: use the same kind of device in both</source><translation>设备映射将权重放在 {} 上，而 accelerator 在 {} 上计算：两者请使用同类设备</translation></message>
    <message><source>the device map keeps {} where it does not compute, and it is trained: give it the device of its block, or freeze it</source><translation>设备映射将 {} 放在不参与计算的位置，而它要被训练：请放到其所在块的设备上，或将其冻结</translation></message>
    <message><source>devices of the model</source><translation>模型的设备</translation></message>
    <message><source>local ranks {} and {} both put weights on {}: give each rank devices of its own (dispatch::device_map_of_rank)</source><translation>本机 rank {} 和 {} 都将权重放在 {} 上：请给每个 rank 各自的设备（dispatch::device_map_of_rank）</translation></message>
    <message><source>device_placement has {} values for {} objects: give one for each</source><translation>device_placement 有 {} 个值，对象有 {} 个：请为每个对象给出一个</translation></message>
    <message><source>device_placement of single objects: ranks that divide weights or optimizer state (zero_stage) have them on their own device: call prepare() without it</source><translation>单个对象的 device_placement：划分权重或优化器状态（zero_stage）的进程将其放在自己的设备上：请不带该参数调用 prepare()</translation></message>
    <message><source>save_state needs a folder, a project_dir, or automatic_checkpoint_naming</source><translation>save_state 需要文件夹、project_dir 或 automatic_checkpoint_naming</translation></message>
    <message><source>map_location is &apos;{}&apos;: it must be cpu or on_device</source><translation>map_location 为“{}”：必须是 cpu 或 on_device</translation></message>
    <message><source>load_state needs a folder, a project_dir, or automatic_checkpoint_naming</source><translation>load_state 需要文件夹、project_dir 或 automatic_checkpoint_naming</translation></message>
    <message><source>save_pretrained needs a config.json: give its text (config), or a folder that has one (source)</source><translation>save_pretrained 需要 config.json：请给出其文本（config）或含有它的文件夹（source）</translation></message>
    <message><source>save_pretrained: config is not a JSON object</source><translation>save_pretrained：config 不是 JSON 对象</translation></message>
    <message><source>{}: safe_serialization saves a dictionary of tensors, and this is a {}</source><translation>{}：safe_serialization 保存张量字典，而这是 {}</translation></message>
    <message><source>{}: safe_serialization saves a dictionary of tensors, and &apos;{}&apos; is a {}</source><translation>{}：safe_serialization 保存张量字典，而“{}”是 {}</translation></message>
    <message><source>fsdp_plugin, deepspeed_plugin and megatron_lm_plugin exclude each other: give one of them</source><translation>fsdp_plugin、deepspeed_plugin 和 megatron_lm_plugin 互斥：请只给出其中一个</translation></message>
    <message><source>zero_stage and sharding say what a plug-in says, too: give either those or the plug-in</source><translation>zero_stage 和 sharding 与插件的内容重复：请给出它们或插件之一</translation></message>
    <message><source>this optimizer has no state to offload: leave the folder out</source><translation>此优化器没有可卸载的状态：请去掉该文件夹</translation></message>
    <message><source>names of weights</source><translation>权重的名称</translation></message>
    <message><source>weights that ranks need</source><translation>各进程需要的权重</translation></message>
    <message><source>has no effect unless parallel.zero_stage is 3: set that, or leave this out</source><translation>仅在 parallel.zero_stage 为 3 时有效：请设置它，或去掉此项</translation></message>
    <message><source>weights on a disk are sent as they are: set parallel.offload_param_device to none, or leave this out</source><translation>磁盘上的权重按原样发送：请将 parallel.offload_param_device 设为 none，或去掉此项</translation></message>
    <message><source>&apos;{}&apos; is on {}, and ranks on processors have weights on cpu and disk alone</source><translation>&apos;{}&apos; 在 {} 上，而处理器上的 rank 的权重只能在 cpu 和 disk 上</translation></message>
    <message><source>it limits {}, and ranks on processors have weights on cpu and disk alone</source><translation>它限制了 {}，而处理器上的 rank 的权重只能在 cpu 和 disk 上</translation></message>
    <message><source>is for a model that is not trained itself, beside adapters: set lora.r to their rank, e.g. 8; layers that are trained on several devices are pipeline stages (parallel.pp_size)</source><translation>用于自身不训练、旁边训练适配器的模型：请将 lora.r 设为适配器的秩，例如 8；在多个设备上训练的层是流水线阶段（parallel.pp_size）</translation></message>
    <message><source>use power_sgd, fp16 or bf16</source><translation>请用 power_sgd、fp16 或 bf16</translation></message>
    <message><source>mxfp8 has scales of blocks of {} elements, which {} {} would divide in {}: set it to rowwise, or take fewer ranks</source><translation>mxfp8 的缩放以 {} 个元素为一块，{} {} 会在 {} 中拆开这些块：请设为 rowwise，或减少 rank 数</translation></message>
    <message><source>has no effect on {}, only on causal_lm, on classification and on models of one&apos;s own: leave it out</source><translation>对 {} 无效，仅对 causal_lm、分类和自己的模型有效：请去掉</translation></message>
    <message><source>has arguments of &apos;{}&apos;, which is not among logging.trackers: add it there</source><translation>含有“{}”的参数，但它不在 logging.trackers 中：请在那里添加</translation></message>
    <message><source>the arguments of &apos;{}&apos; must be a table of keys, not {}</source><translation>“{}”的参数必须是键值表，而不是{}</translation></message>
    <message><source>{} rounds weights to bfloat16: set training.mixed_precision to bf16, or leave it out</source><translation>{} 将权重舍入为 bfloat16：请将 training.mixed_precision 设为 bf16，或去掉此项</translation></message>
    <message><source>{} needs weights in memory: set parallel.offload_param_device to none, or leave it out</source><translation>{} 需要权重位于内存中：请将 parallel.offload_param_device 设为 none，或去掉此项</translation></message>
    <message><source>{}: it must be 1, for no second copy, or the ranks that share one</source><translation>{}：必须为 1（没有第二份副本），或共享一份副本的 rank 数</translation></message>
    <message><source>says how ranks exchange weights and gradients that ZeRO stage 3 shards, and zero_stage is {}: set it to 3, or leave this out</source><translation>说明各 rank 如何交换由 ZeRO 阶段 3 分片的权重和梯度，而 zero_stage 为 {}：请设为 3，或去掉此项</translation></message>
    <message><source>weights on a disk are sent as they are: keep them in memory, or leave this out</source><translation>磁盘上的权重按原样发送：请把它们保留在内存中，或去掉此项</translation></message>
    <message><source>enable_fsdp_float8_all_gather sends weights as fp8 values already: leave one of the two out</source><translation>enable_fsdp_float8_all_gather 已经以 fp8 发送权重：请去掉两者之一</translation></message>
    <message><source>&apos;{}&apos; is not a number of seconds from 0.001 to {}</source><translation>“{}”不是 0.001 到 {} 之间的秒数</translation></message>
    <message><source>zero_hpz_partition_size: {}</source><translation>zero_hpz_partition_size：{}</translation></message>
    <message><source>secondary shards</source><translation>二级分片</translation></message>
    <message><source>{} ranks that shard the weights do not divide into groups of {}: set it to a divisor of {}, such as the ranks of a machine, or to 1</source><translation>分片权重的 {} 个 rank 无法分成每组 {} 个：请设为 {} 的约数，例如一台机器的 rank 数，或设为 1</translation></message>
    <message><source>{} + {:g} × {} of modules that stay</source><translation>{} + {:g} × {}（保持不变的模块）</translation></message>
    <message><source>{:g} bytes × {} parameters of modules that are not sharded</source><translation>{:g} 字节 × 未分片模块的 {} 个参数</translation></message>
    <message><source>Wang et al., &quot;ZeRO++&quot;, 2024</source><translation>Wang et al., &quot;ZeRO++&quot;, 2024</translation></message>
    <message><source>second copy: {:g} bytes × {} parameters / {:.0f} ranks</source><translation>第二份副本：{:g} 字节 × {} 个参数 / {:.0f} 个 rank</translation></message>
    <message><source>ranks that hold a second copy of the weights together (ZeRO++); 1: none</source><translation>共同保存第二份权重副本的进程数（ZeRO++）；1：无</translation></message>
    <message><source>weights are sent in 8 bits (ZeRO++)</source><translation>权重以 8 位发送（ZeRO++）</translation></message>
    <message><source>gradients are sent in 4 bits (ZeRO++)</source><translation>梯度以 4 位发送（ZeRO++）</translation></message>
    <message><source>modules of blocks, joined by commas, that are not quantized: down_proj</source><translation>块中不量化的模块，以逗号分隔：down_proj</translation></message>
    <message><source>the same, and their weights are fp32</source><translation>同上，且其权重为 fp32</translation></message>
    <message><source>{} has no effect without weights of 4 or 8 bits: give weight_bits, or leave it out</source><translation>{} 在没有 4 位或 8 位权重时无效：请给出 weight_bits，或去掉此项</translation></message>
    <message><source>{}: &apos;{}&apos; is not a matrix of the model&apos;s blocks, which are {}</source><translation>{}：“{}”不是模型块中的矩阵；块中的矩阵为 {}</translation></message>
    <message><source>another process</source><translation>另一个进程</translation></message>
    <message><source>process {} ({})</source><translation>进程 {}（{}）</translation></message>
    <message><source>{} downloads {}: waiting for it</source><translation>{} 正在下载 {}：等待中</translation></message>
    <message><source>{} downloads {} of {}, but nothing has arrived for {}: end that process and start again, which continues the download ({})</source><translation>{0} 正在下载 {2} 的 {1}，但已有 {3} 没有任何数据到达：请结束该进程后重新开始，下载会继续（{4}）</translation></message>
    <message><source>{} of {} arrives too slowly, or in too small parts, from {}: {} of {} are here: check the network and https_proxy; the next download continues it</source><translation>{1} 的 {0} 从 {2} 到达得太慢或分段太小，已有 {3} / {4}：请检查网络和 https_proxy；下次下载会继续</translation></message>
    <message><source>HF_HUB_DOWNLOAD_TIMEOUT must be a whole number of seconds from 1 to {}</source><translation>HF_HUB_DOWNLOAD_TIMEOUT 必须是 1 到 {} 之间的整数秒数</translation></message>
    <message><source>{} has no &apos;args&apos;, which say the number of attention heads: save it with a version of Megatron-LM that writes them</source><translation>{} 没有说明注意力头数的 &apos;args&apos;：请用会写入它们的 Megatron-LM 版本保存</translation></message>
    <message><source>{}: args.{} is {}: it must be a positive number</source><translation>{}：args.{} 为 {}：必须是正数</translation></message>
    <message><source>{}: only the weights are read, not the state of the optimizer</source><translation>{}：只读取权重，不读取优化器状态</translation></message>
    <message><source>Megatron-LM, tensor parallel {}, pipeline parallel {}</source><translation>Megatron-LM，张量并行 {}，流水线并行 {}</translation></message>
    <message><source>{} cannot be read as a model of transformers: {}</source><translation>{} 无法读作 transformers 的模型：{}</translation></message>
    <message><source>the parts of {} do not fit each other</source><translation>{} 的各部分互不匹配</translation></message>
    <message><source>{} has experts of its own, and mixtures of experts are not read</source><translation>{} 有自己的专家，而混合专家模型不被读取</translation></message>
    <message><source>{} was saved by {} tensor ranks x {} pipeline ranks, and it has {} folders mp_rank_*: copy those of all ranks</source><translation>{} 由 {} 个张量 rank x {} 个流水线 rank 保存，而其中有 {} 个 mp_rank_* 文件夹：请复制所有 rank 的文件夹</translation></message>
    <message><source>{} has no {}: the checkpoint was not copied to its end</source><translation>{} 没有 {}：检查点未复制完整</translation></message>
    <message><source>GPT-2 and Llama have no counterpart of its {}</source><translation>GPT-2 和 Llama 没有与其 {} 对应的部分</translation></message>
    <message><source>one of its tensors has no rows</source><translation>其某个张量没有行</translation></message>
    <message><source>{} of {} tensor ranks have a part of one of its tensors</source><translation>其某个张量只在 {}（共 {}）个张量 rank 中有部分</translation></message>
    <message><source>it is neither GPT-2 (learned positions, LayerNorm, biases, one pair of keys and values for each head) nor Llama (rotary positions, RMSNorm, swiglu, no biases)</source><translation>它既不是 GPT-2（学习的位置、LayerNorm、偏置、每个头一对键和值），也不是 Llama（旋转位置、RMSNorm、swiglu、无偏置）</translation></message>
    <message><source>args.num_experts is {}, and mixtures of experts are not read</source><translation>args.num_experts 为 {}，而混合专家模型不被读取</translation></message>
    <message><source>args.{} is set, and it computes something else</source><translation>设置了 args.{}，其计算有所不同</translation></message>
    <message><source>args.rotary_percent is {:g}, and Llama rotates whole heads</source><translation>args.rotary_percent 为 {:g}，而 Llama 旋转整个头</translation></message>
    <message><source>{} heads in {} groups do not divide by {} tensor ranks</source><translation>{} 个头（{} 组）不能被 {} 个张量 rank 整除</translation></message>
    <message><source>its version is {:g}, which has no groups of heads</source><translation>其版本为 {:g}，没有头分组</translation></message>
    <message><source>its ranks have different numbers of model chunks</source><translation>其各 rank 的模型块数不同</translation></message>
    <message><source>its first stage has no embedding.word_embeddings</source><translation>其第一阶段没有 embedding.word_embeddings</translation></message>
    <message><source>its first stage has no embedding.position_embeddings</source><translation>其第一阶段没有 embedding.position_embeddings</translation></message>
    <message><source>it has {} blocks, and args.num_layers is {}</source><translation>它有 {} 个块，而 args.num_layers 为 {}</translation></message>
    <message><source>its last stage has no final_layernorm</source><translation>其最后阶段没有 final_layernorm</translation></message>
    <message><source>its last stage has no output_layer, and args.untie_embeddings_and_output_weights is set</source><translation>其最后阶段没有 output_layer，而 args.untie_embeddings_and_output_weights 已设置</translation></message>
    <message><source>its block {} gives {} tensors, and the model has {}</source><translation>其块 {} 给出 {} 个张量，而模型有 {} 个</translation></message>
    <message><source>the queries, keys and values of a rank have {} rows, and {} heads of {} have {}</source><translation>一个 rank 的查询、键和值有 {} 行，而 {} 个大小为 {} 的头有 {} 行</translation></message>
    <message><source>init_empty_weights is called by a function that init_empty_weights calls: call it once</source><translation>init_empty_weights 被它自己调用的函数再次调用：请只调用一次</translation></message>
    <message><source>Amazon&apos;s keys of the profile {} were not found: run `aws configure`, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY</source><translation>未找到配置 {} 的 Amazon 密钥：请运行 `aws configure`，或设置 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY</translation></message>
    <message><source>Amazon&apos;s service does not answer to {}: {}</source><translation>Amazon 服务未响应 {}：{}</translation></message>
    <message><source>Amazon refused {}: {} ({})</source><translation>Amazon 拒绝了 {}：{}（{}）</translation></message>
    <message><source>Amazon&apos;s answer to {} has no {}</source><translation>Amazon 对 {} 的回答中没有 {}</translation></message>
    <message><source>{} is not an address: begin it with https://</source><translation>{} 不是地址：请以 https:// 开头</translation></message>
    <message><source>{} has no host</source><translation>{} 没有主机</translation></message>
    <message><source>Amazon has no image with Transformers {}, PyTorch {} and {}: set image_uri in additional_args or the settings file, or one of these versions: {}</source><translation>Amazon 没有 Transformers {}、PyTorch {} 和 {} 的镜像：请在 additional_args 或设置文件中设置 image_uri，或使用以下版本之一：{}</translation></message>
    <message><source>any Python</source><translation>任意 Python</translation></message>
    <message><source>a table</source><translation>一个表</translation></message>
    <message><source>&apos;{}&apos; has no effect here: remove it, or spell it as an argument of SageMaker&apos;s estimator</source><translation>“{}”在此无效：请删除它，或按 SageMaker 估计器的参数拼写</translation></message>
    <message><source>{} must be {}</source><translation>{} 必须是{}</translation></message>
    <message><source>local mode runs Amazon&apos;s container on this machine: start the script without SageMaker instead</source><translation>本地模式在本机运行 Amazon 的容器：请改为不使用 SageMaker 启动脚本</translation></message>
    <message><source>the kind of machine is missing, e.g. ml.g5.2xlarge</source><translation>缺少机器类型，例如 ml.g5.2xlarge</translation></message>
    <message><source>the role that SageMaker acts as is missing: its name, or its ARN</source><translation>缺少 SageMaker 使用的角色：其名称或 ARN</translation></message>
    <message><source>max_wait is below max_run: the time to wait includes that of the training</source><translation>max_wait 小于 max_run：等待时间包含训练时间</translation></message>
    <message><source>max_wait counts only with use_spot_instances</source><translation>max_wait 仅在使用 use_spot_instances 时有效</translation></message>
    <message><source>{} is not an address of Amazon S3: write s3://BUCKET/FOLDER</source><translation>{} 不是 Amazon S3 地址：请写成 s3://存储桶/文件夹</translation></message>
    <message><source>there is no file {}</source><translation>没有文件 {}</translation></message>
    <message><source>{} has no requirements.txt: the job has only what its image brings</source><translation>{} 中没有 requirements.txt：作业只有其镜像自带的内容</translation></message>
    <message><source>making the bucket {}</source><translation>正在创建存储桶 {}</translation></message>
    <message><source>sending {} files of {} to s3://{}</source><translation>正在将 {} 个文件（{}）发送到 s3://{}</translation></message>
    <message><source>{} has files of {} MB, and at most {} MB are sent: put the script into a folder of its own, and data into a bucket</source><translation>{} 中的文件有 {} MB，最多发送 {} MB：请将脚本放入单独的文件夹，将数据放入存储桶</translation></message>
    <message><source>arguments of trackers are in logging.tracker_arguments of the recipe</source><translation>跟踪器的参数在配方的 logging.tracker_arguments 中</translation></message>
    <message><source>small weights travel with all weights of their unit in one message, so that none have to stay whole; parallel.ignored_modules names modules that stay whole</source><translation>小权重与其单元的全部权重在同一消息中传输，因此无需保持完整；parallel.ignored_modules 指定保持完整的模块</translation></message>
    <message><source>frozen weights are sent as those that are trained: set zero_quantized_weights instead</source><translation>冻结的权重与训练的权重一样发送：请改为设置 zero_quantized_weights</translation></message>
    <message><source>optimizer state stays on the device that trains, or, of processors, goes to a disk (nvme): set it to none</source><translation>优化器状态保留在训练所用的设备上；使用处理器训练时可放到磁盘（nvme）：请设为 none</translation></message>
    <message><source>there is no such key: correct its name, or take it out</source><translation>没有此键：请更正其名称，或将其去掉</translation></message>
    <message><source>the key &apos;{}&apos; of an experiment of Comet must have 32 to 50 letters and digits</source><translation>Comet 实验的键“{}”必须有 32 到 50 个字母和数字</translation></message>
    <message><source>unknown mode &apos;{}&apos; of the tracker &apos;comet_ml&apos;: give get, create or get_or_create</source><translation>跟踪器“comet_ml”的模式“{}”未知：请用 get、create 或 get_or_create</translation></message>
    <message><source>the mode get of the tracker &apos;comet_ml&apos; needs an experiment_key</source><translation>跟踪器“comet_ml”的 get 模式需要 experiment_key</translation></message>
    <message><source>there is no API key for {}: set COMET_API_KEY, or write it to ~/.comet.config</source><translation>没有 {} 的 API 密钥：请设置 COMET_API_KEY，或写入 ~/.comet.config</translation></message>
    <message><source>{} did not answer as a Comet server: it named no run</source><translation>{} 的应答不像 Comet 服务器：没有给出运行</translation></message>
    <message><source>{} refuses a request to {} ({})</source><translation>{} 拒绝了对 {} 的请求（{}）</translation></message>
    <message><source>{} did not answer as a Comet server ({} to {}): check COMET_URL_OVERRIDE and the project</source><translation>{} 的应答不像 Comet 服务器（{}，请求 {}）：请检查 COMET_URL_OVERRIDE 和项目</translation></message>
    <message><source>MLflow takes parameters of at most {} characters, and these are longer: {}</source><translation>MLflow 的参数最多 {} 个字符，以下参数更长：{}</translation></message>
    <message><source>the tracker &apos;mlflow&apos; writes to servers (http:, https:) and folders, not to {}: start `mlflow server` for it, and set MLFLOW_TRACKING_URI to the address of that server</source><translation>跟踪器“mlflow”写入服务器（http:、https:）和文件夹，而不是 {}：请为其启动 `mlflow server`，并将 MLFLOW_TRACKING_URI 设为该服务器的地址</translation></message>
    <message><source>MLFLOW_TAGS is not a JSON object, for example {{&quot;team&quot;: &quot;a&quot;}}: {}</source><translation>MLFLOW_TAGS 不是 JSON 对象，例如 {{&quot;team&quot;: &quot;a&quot;}}：{}</translation></message>
    <message><source>the argument tags of the tracker &apos;mlflow&apos; must be a table of texts, not {}</source><translation>跟踪器“mlflow”的参数 tags 必须是文本表，而不是{}</translation></message>
    <message><source>the parameter {} has another value in {}</source><translation>参数 {} 在 {} 中有另一个值</translation></message>
    <message><source>there is no run {} in {}</source><translation>{1} 中没有运行 {0}</translation></message>
    <message><source>{} stores artifacts in {}, which it does not serve: start it with --serve-artifacts</source><translation>{} 将工件存放在 {}，但不提供服务：请用 --serve-artifacts 启动</translation></message>
    <message><source>MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, or MLFLOW_TRACKING_TOKEN</source><translation>MLFLOW_TRACKING_USERNAME 和 MLFLOW_TRACKING_PASSWORD，或 MLFLOW_TRACKING_TOKEN</translation></message>
    <message><source>{} did not answer as an MLflow server ({} to {}): check its address and its version</source><translation>{} 的应答不像 MLflow 服务器（{}，请求 {}）：请检查其地址和版本</translation></message>
    <message><source>{} did not answer as an MLflow server: it named no run</source><translation>{} 的应答不像 MLflow 服务器：没有给出运行</translation></message>
    <message><source>the tracker &apos;{}&apos; keeps no tables: log them with mlflow or wandb</source><translation>跟踪器“{}”不保存表格：请用 mlflow 或 wandb 记录</translation></message>
    <message><source>the tracker &apos;{}&apos; keeps no artifacts: log them with mlflow</source><translation>跟踪器“{}”不保存工件：请用 mlflow 记录</translation></message>
    <message><source>{} is in use by another process</source><translation>{} 正被另一个进程使用</translation></message>
    <message><source>{} records were not sent and are saved in {}; they are sent when a run with the same folder starts</source><translation>{} 条记录未发送，已保存在 {}；当使用同一文件夹的运行开始时会发送</translation></message>
    <message><source>{}; the records wait in {}, and training continues</source><translation>{}；记录在 {} 中等待，训练继续进行</translation></message>
    <message><source>{}; such records are saved in {}</source><translation>{}；此类记录保存在 {}</translation></message>
    <message><source>libcurl is not installed (Debian: libcurl4)</source><translation>未安装 libcurl（Debian：libcurl4）</translation></message>
    <message><source>{} does not answer: {}</source><translation>{} 没有应答：{}</translation></message>
    <message><source>{} does not accept the credentials ({}): check {}</source><translation>{} 不接受凭据（{}）：请检查 {}</translation></message>
    <message><source>{} redirects to {}: use that address</source><translation>{} 重定向到 {}：请使用该地址</translation></message>
    <message><source>{} does not accept anything now ({})</source><translation>{} 目前不接受任何请求（{}）</translation></message>
    <message><source>{} became shorter: another program has changed it</source><translation>{} 变短了：另一个程序修改了它</translation></message>
    <message><source>SQLite is not installed (Debian: libsqlite3-0), so {} cannot be written</source><translation>未安装 SQLite（Debian：libsqlite3-0），因此无法写入 {}</translation></message>
    <message><source>unknown mode &apos;{}&apos; of the tracker &apos;swanlab&apos;: give offline, local or disabled</source><translation>跟踪器“swanlab”的模式“{}”未知：请用 offline、local 或 disabled</translation></message>
    <message><source>the run is written to {}, which `swanlab sync` sends</source><translation>运行写入 {}，可用 `swanlab sync` 发送</translation></message>
    <message><source>swanlab shows numbers and dictionaries of numbers, not {}</source><translation>swanlab 只显示数字和数字字典，不显示 {}</translation></message>
    <message><source>the tracker &apos;{}&apos;: {}</source><translation>跟踪器“{}”：{}</translation></message>
    <message><source>a row of the table &apos;{}&apos; has {} values, and there are {} columns</source><translation>表“{}”的一行有 {} 个值，而列数为 {}</translation></message>
    <message><source>no tracker of this run keeps tables ({}): add mlflow or wandb</source><translation>此运行没有能保存表格的跟踪器（{}）：请添加 mlflow 或 wandb</translation></message>
    <message><source>the artifact {} does not exist</source><translation>工件 {} 不存在</translation></message>
    <message><source>no tracker of this run keeps artifacts ({}): add mlflow</source><translation>此运行没有能保存工件的跟踪器（{}）：请添加 mlflow</translation></message>
    <message><source>the argument resume of the tracker &apos;trackio&apos; must be never, allow or must, not {}</source><translation>跟踪器“trackio”的参数 resume 必须是 never、allow 或 must，而不是 {}</translation></message>
    <message><source>the run is written to {} alone, not to {}: `trackio sync` sends it</source><translation>运行只写入 {}，不写入 {}：可用 `trackio sync` 发送</translation></message>
    <message><source>CREATE TABLE IF NOT EXISTS metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp TEXT NOT NULL, run_name TEXT NOT NULL, step INTEGER NOT NULL, metrics TEXT NOT NULL)</source><translation>CREATE TABLE IF NOT EXISTS metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp TEXT NOT NULL, run_name TEXT NOT NULL, step INTEGER NOT NULL, metrics TEXT NOT NULL)</translation></message>
    <message><source>CREATE TABLE IF NOT EXISTS configs (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, run_name TEXT NOT NULL, config TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE(run_id))</source><translation>CREATE TABLE IF NOT EXISTS configs (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, run_name TEXT NOT NULL, config TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE(run_id))</translation></message>
    <message><source>there is no run &apos;{}&apos; in {}, and resume is must</source><translation>{1} 中没有运行“{0}”，而 resume 为 must</translation></message>
    <message><source>SELECT MAX(step) FROM metrics WHERE run_id = ?</source><translation>SELECT MAX(step) FROM metrics WHERE run_id = ?</translation></message>
    <message><source>INSERT INTO metrics (run_id, timestamp, run_name, step, metrics) VALUES (?, ?, ?, ?, ?)</source><translation>INSERT INTO metrics (run_id, timestamp, run_name, step, metrics) VALUES (?, ?, ?, ?, ?)</translation></message>
    <message><source>SELECT run_id FROM configs WHERE run_name = ? ORDER BY id DESC LIMIT 1</source><translation>SELECT run_id FROM configs WHERE run_name = ? ORDER BY id DESC LIMIT 1</translation></message>
    <message><source>INSERT OR REPLACE INTO configs (run_id, run_name, config, created_at) VALUES (?, ?, ?, ?)</source><translation>INSERT OR REPLACE INTO configs (run_id, run_name, config, created_at) VALUES (?, ?, ?, ?)</translation></message>
    <message><source>the argument tags of the tracker &apos;wandb&apos; must be a list of texts, not {}</source><translation>跟踪器“wandb”的参数 tags 必须是文本列表，而不是{}</translation></message>
    <message><source>the id &apos;{}&apos; of a run of W&amp;B must not have one of / \ # ? % :</source><translation>W&amp;B 运行的标识“{}”不能包含 / \ # ? % :</translation></message>
    <message><source>unknown mode &apos;{}&apos; of the tracker &apos;wandb&apos;: give online, offline or disabled</source><translation>跟踪器“wandb”的模式“{}”未知：请用 online、offline 或 disabled</translation></message>
    <message><source>there is no API key for {}: set WANDB_API_KEY, or log in with `wandb login`</source><translation>没有 {} 的 API 密钥：请设置 WANDB_API_KEY，或用 `wandb login` 登录</translation></message>
    <message><source>{}; the run is written to {}, which `wandb sync` sends</source><translation>{}；运行写入 {}，可用 `wandb sync` 发送</translation></message>
    <message><source>mutation UpsertBucket($name: String, $project: String, $entity: String, $groupName: String, $displayName: String, $notes: String, $config: JSONString, $jobType: String, $tags: [String!]) { upsertBucket(input: {name: $name, modelName: $project, entityName: $entity, groupName: $groupName, displayName: $displayName, notes: $notes, config: $config, jobType: $jobType, tags: $tags}) { bucket { id name displayName project { name entity { name } } historyLineCount } inserted } }</source><translation>mutation UpsertBucket($name: String, $project: String, $entity: String, $groupName: String, $displayName: String, $notes: String, $config: JSONString, $jobType: String, $tags: [String!]) { upsertBucket(input: {name: $name, modelName: $project, entityName: $entity, groupName: $groupName, displayName: $displayName, notes: $notes, config: $config, jobType: $jobType, tags: $tags}) { bucket { id name displayName project { name entity { name } } historyLineCount } inserted } }</translation></message>
    <message><source>mutation CreateRunFiles($entity: String!, $project: String!, $run: String!, $files: [String!]!) { createRunFiles(input: {entityName: $entity, projectName: $project, runName: $run, files: $files}) { runID uploadHeaders files { name uploadUrl } } }</source><translation>mutation CreateRunFiles($entity: String!, $project: String!, $run: String!, $files: [String!]!) { createRunFiles(input: {entityName: $entity, projectName: $project, runName: $run, files: $files}) { runID uploadHeaders files { name uploadUrl } } }</translation></message>
    <message><source>{} did not answer as a W&amp;B server: it named no entity</source><translation>{} 的应答不像 W&amp;B 服务器：没有给出实体</translation></message>
    <message><source>{} does not store {} ({})</source><translation>{} 没有保存 {}（{}）</translation></message>
    <message><source>WANDB_API_KEY, or log in with `wandb login`</source><translation>WANDB_API_KEY，或用 `wandb login` 登录</translation></message>
    <message><source>{} did not answer as a W&amp;B server ({} to {}): check WANDB_BASE_URL</source><translation>{} 的应答不像 W&amp;B 服务器（{}，请求 {}）：请检查 WANDB_BASE_URL</translation></message>
    <message><source>{} of {} is for weights in bfloat16, and there is a parameter in {}: leave it out, or convert the model first (to(torch::kBFloat16))</source><translation>{}（{}）用于 bfloat16 权重，而有参数为 {}：请去掉此项，或先转换模型（to(torch::kBFloat16)）</translation></message>
    <message><source>sort_by &apos;{}&apos; is not a column of the profiler&apos;s table: choose one of {}</source><translation>sort_by“{}”不是分析器表格的列：请选择 {} 之一</translation></message>
    <message><source>Device total</source><translation>Device total</translation></message>
    <message><source>Self memory</source><translation>Self memory</translation></message>
    <message><source>Self device mem.</source><translation>Self device mem.</translation></message>
    <message><source>Device mem.</source><translation>Device mem.</translation></message>
    <message><source>  Input shapes</source><translation>  Input shapes</translation></message>
    <message><source>parallel.{}: it is {}, and the mesh of this program has {} there: set it to {}, or train the recipe with trainyard launch</source><translation>parallel.{}：其值为 {}，而此程序的网格在该维度为 {}：请设为 {}，或用 trainyard launch 训练该配方</translation></message>
    <message><source>model.device_map: {}</source><translation>model.device_map: {}</translation></message>
    <message><source>recipe with the settled model</source><translation>已确定模型的配方</translation></message>
    <message><source>the share of a dictionary of {} items is not that of its list and tensor</source><translation>{} 项字典的份额与其列表和张量的份额不同</translation></message>
    <message><source>{} lengths, every item once, lists, tensors and dictionaries alike</source><translation>{} 种长度，每项一次，列表、张量和字典一致</translation></message>
    <message><source>before the first</source><translation>在第一个之前</translation></message>
    <message><source>after the others</source><translation>在其他之后</translation></message>
    <message><source>all have written</source><translation>全部已写入</translation></message>
    <message><source>{}: rank {} was not the first</source><translation>{}：进程 {} 不是第一个</translation></message>
    <message><source>{}: not every rank took its turn once</source><translation>{}：并非每个进程都轮到一次</translation></message>
    <message><source>samples of a loader</source><translation>加载器的样本</translation></message>
    <message><source>{} ran on {} ranks instead of {}</source><translation>{} 在 {} 个进程上运行，而不是 {} 个</translation></message>
    <message><source>main_process_first, local_main_process_first, work of one rank, of the last and of each machine</source><translation>main_process_first、local_main_process_first、单个进程、最后一个进程和每台机器的工作</translation></message>
    <message><source>{}: some of {} samples were not seen once</source><translation>{}：{} 个样本中有一些没有被看到一次</translation></message>
    <message><source>samples of each rank</source><translation>每个进程的样本</translation></message>
    <message><source>{}: the ranks saw {} and {} samples</source><translation>{}：各进程看到 {} 和 {} 个样本</translation></message>
    <message><source>{} combinations of sharding, dispatching, splitting and shuffling, every sample seen, as many on each rank</source><translation>{} 种分片、分发、拆分和打乱的组合，每个样本都被看到，每个进程数量相同</translation></message>
    <message><source>{}: its samples are not in the order of the sampler</source><translation>{}：其样本不符合采样器的顺序</translation></message>
    <message><source>own sampler</source><translation>自定义采样器</translation></message>
    <message><source>own batch sampler</source><translation>自定义批采样器</translation></message>
    <message><source>seedable sampler: the second epoch has the order of the first</source><translation>可设种子的采样器：第二轮与第一轮顺序相同</translation></message>
    <message><source>seedable sampler</source><translation>可设种子的采样器</translation></message>
    <message><source>seedable sampler again</source><translation>再次可设种子的采样器</translation></message>
    <message><source>own samplers and batch samplers, seedable ones in the same order on every rank and in a new one each epoch</source><translation>自定义采样器和批采样器，可设种子的采样器在每个进程上顺序相同，每轮顺序更新</translation></message>
    <message><source>the flag that rank {} raised was not seen</source><translation>进程 {} 发出的标志未被看到</translation></message>
    <message><source>the flag that rank {} raised was seen twice</source><translation>进程 {} 发出的标志被看到两次</translation></message>
    <message><source>a flag of any rank is seen by all, once</source><translation>任一进程的标志被所有进程看到一次</translation></message>
    <message><source>first state</source><translation>第一个状态</translation></message>
    <message><source>second state</source><translation>第二个状态</translation></message>
    <message><source>a second state of the program is rank {} of {} instead of {}</source><translation>程序的第二个状态是进程 {}/{}，而不是 {}</translation></message>
    <message><source>sum of a second state</source><translation>第二个状态的求和</translation></message>
    <message><source>a second state of the program does not reach all ranks</source><translation>程序的第二个状态无法到达所有进程</translation></message>
    <message><source>rank {} of {}, also after a first state of the program ended</source><translation>进程 {}/{}，在程序的第一个状态结束之后也是如此</translation></message>
    <message><source>the job {} failed: {}</source><translation>作业 {} 失败：{}</translation></message>
    <message><source>the model is on {}: to train it there, prepare what dispatch_model() returned, and not its module</source><translation>模型位于 {}：要在那里训练，请 prepare dispatch_model() 返回的对象，而不是其模块</translation></message>
    <message><source>zero_stage is {}, and ranks divide models that are on one device each: set it to 0 for a model with a device map</source><translation>zero_stage 为 {}，而各 rank 只能划分各自位于一个设备上的模型：带设备映射的模型请设为 0</translation></message>
    <message><source>With tensorwise and parallel.zero_stage 3: weights of layers in fp8 are gathered as 8-bit values with a scale for each, as torchao does; half the bytes of bf16, with the same results.</source><translation>在 tensorwise 和 parallel.zero_stage 3 下：fp8 层的权重以 8 位值及各自的缩放因子收集，与 torchao 相同；字节数为 bf16 的一半，结果相同。</translation></message>
</context>
<context>
    <name>trainyard::widgets</name>
    <message><source>time (s)</source><translation>时间 (s)</translation></message>
    <message><source>tokens</source><translation>token</translation></message>
    <message><source>epoch</source><translation>epoch</translation></message>
    <message><source>seconds since 1970</source><translation>自 1970 年起的秒数</translation></message>
    <message><source>step</source><translation>步</translation></message>
    <message><source>%1 cannot be written: %2</source><translation>无法写入 %1：%2</translation></message>
    <message><source>%1 was not written: %2</source><translation>%1 未写入：%2</translation></message>
    <message><source># more than %1 points: export as CSV</source><translation># 超过 %1 个点：请导出为 CSV</translation></message>
    <message><source>Export %1</source><translation>导出 %1</translation></message>
    <message><source>Picture (*.png)</source><translation>图片 (*.png)</translation></message>
    <message><source>Vector picture (*.svg)</source><translation>矢量图 (*.svg)</translation></message>
    <message><source>Document (*.pdf)</source><translation>文档 (*.pdf)</translation></message>
    <message><source>All values (*.csv)</source><translation>所有值 (*.csv)</translation></message>
    <message><source>pgfplots (*.tex)</source><translation>pgfplots (*.tex)</translation></message>
    <message><source>Not exported</source><translation>未导出</translation></message>
    <message><source>The name %1 has no extension that says which format to write: use .png, .svg, .pdf, .csv or .tex.</source><translation>名称 %1 没有可表明写入格式的扩展名：请使用 .png、.svg、.pdf、.csv 或 .tex。</translation></message>
    <message><source>%1 names no ranks: write 0 to %2, as in 0, 3-5.</source><translation>%1 没有指明任何 rank：请写 0 到 %2，例如 0, 3-5。</translation></message>
    <message><source>%1 is not a regular expression: %2 at character %3</source><translation>%1 不是正则表达式：%2，位于第 %3 个字符</translation></message>
    <message><source> tok</source><translation> tok</translation></message>
    <message><source>epoch %1</source><translation>epoch %1</translation></message>
    <message><source>step %1</source><translation>第 %1 步</translation></message>
    <message><source>MMM yyyy</source><comment>format of a date</comment><translation>yyyy年M月</translation></message>
    <message><source>d MMM</source><comment>format of a date</comment><translation>M月d日</translation></message>
    <message><source>d MMM HH:mm</source><comment>format of a date</comment><translation>M月d日 HH:mm</translation></message>
    <message><source>%1 %</source><comment>a share in per cent</comment><translation>%1%</translation></message>
</context>
<context>
    <name>trainyard::widgets::ChartLegend</name>
    <message><source>Curves of %1</source><translation>%1 的曲线</translation></message>
    <message numerus="yes"><source>and %n more</source><translation><numerusform>另有 %n 个</numerusform></translation></message>
    <message><source>%1, shown</source><translation>%1，已显示</translation></message>
    <message><source>%1, hidden</source><translation>%1，已隐藏</translation></message>
</context>
<context>
    <name>trainyard::widgets::ChartOverlay</name>
    <message><source>and %1 more</source><translation>另有 %1 个</translation></message>
    <message numerus="yes"><source>and %n more</source><translation><numerusform>另有 %n 个</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::CurveChart</name>
    <message><source>Go to</source><translation>转到</translation></message>
    <message><source>step</source><translation>步</translation></message>
    <message><source>place on the axis</source><translation>轴上的位置</translation></message>
    <message><source>Fit</source><translation>适合窗口</translation></message>
    <message><source>Previous zoom</source><translation>上一个缩放</translation></message>
    <message><source>Logarithmic vertical axis</source><translation>对数纵轴</translation></message>
    <message><source>Logarithmic horizontal axis</source><translation>对数横轴</translation></message>
    <message><source>Bands of the raw values</source><translation>原始值的区间带</translation></message>
    <message><source>Moving average</source><translation>移动平均</translation></message>
    <message><source>Median</source><translation>中位数</translation></message>
    <message><source>Best so far: lowest</source><translation>迄今最佳：最低</translation></message>
    <message><source>Best so far: highest</source><translation>迄今最佳：最高</translation></message>
    <message><source>No smoothing</source><translation>不平滑</translation></message>
    <message><source>Copy picture and values</source><translation>复制图片和值</translation></message>
    <message><source>Copy as pgfplots</source><translation>复制为 pgfplots</translation></message>
    <message><source>Export…</source><translation>导出…</translation></message>
    <message><source>Show as table</source><translation>显示为表格</translation></message>
    <message><source>Add a note here…</source><translation>在此处添加备注…</translation></message>
    <message><source>Pin here</source><translation>固定在此处</translation></message>
    <message><source>%1 %2</source><translation>%1 %2</translation></message>
    <message><source>and %1 more curves</source><translation>另有 %1 条曲线</translation></message>
    <message><source>from %1 to %2</source><translation>从 %1 到 %2</translation></message>
    <message><source>values %1 to %2</source><translation>值 %1 到 %2</translation></message>
    <message><source>%1 (at %2)</source><translation>%1（位于 %2）</translation></message>
    <message><source>%1 (Δ %2)</source><translation>%1（Δ %2）</translation></message>
    <message><source>%1 · best</source><translation>%1 · 最佳</translation></message>
    <message><source>%1 · smoothed</source><translation>%1 · 平滑</translation></message>
    <message><source>%1 · raw min – max</source><translation>%1 · 原始最小值 – 最大值</translation></message>
    <message><source>%1 – %2</source><translation>%1 – %2</translation></message>
    <message><source>%1 · raw</source><translation>%1 · 原始</translation></message>
    <message><source>Δ %1 steps</source><translation>Δ %1 步</translation></message>
    <message><source>smoothing, %1 % done</source><translation>正在平滑，已完成 %1 %</translation></message>
    <message><source>more than %1</source><translation>超过 %1</translation></message>
    <message numerus="yes"><source>%Ln points above</source><translation><numerusform>上方有 %Ln 个点</numerusform></translation></message>
    <message numerus="yes"><source>%Ln points below</source><translation><numerusform>下方有 %Ln 个点</numerusform></translation></message>
    <message numerus="yes"><source>%Ln values not above zero are not on the log axis</source><translation><numerusform>%Ln 个不大于零的值未显示在对数轴上</numerusform></translation></message>
    <message numerus="yes"><source>%Ln points at or before 0 are not on the log axis</source><translation><numerusform>%Ln 个位于 0 或之前的点未显示在对数轴上</numerusform></translation></message>
    <message><source>Hide outliers</source><translation>隐藏离群值</translation></message>
</context>
<context>
    <name>trainyard::widgets::DistributionView</name>
    <message><source>minimum</source><translation>最小值</translation></message>
    <message><source>maximum</source><translation>最大值</translation></message>
    <message><source>%1 %</source><translation>%1 %</translation></message>
    <message><source>median</source><translation>中位数</translation></message>
</context>
<context>
    <name>trainyard::widgets::HeatLegend</name>
    <message><source>Colours of the cells</source><translation>单元格的颜色</translation></message>
    <message><source>Colours from %1 to %2</source><translation>颜色从 %1 到 %2</translation></message>
</context>
<context>
    <name>trainyard::widgets::HeatStrip</name>
    <message><source>%1, %2: lowest %3, median %4, highest %5</source><translation>%1，%2：最低 %3，中位数 %4，最高 %5</translation></message>
    <message><source>%1 on %2, %3: %4</source><translation>%2 上的 %1，%3：%4</translation></message>
    <message><source>, %1 × the median</source><translation>，中位数的 %1 倍</translation></message>
</context>
<context>
    <name>trainyard::widgets::HistogramView</name>
    <message><source>no histograms</source><translation>没有直方图</translation></message>
    <message numerus="yes"><source>%n histograms, values %1 to %2</source><translation><numerusform>%n 个直方图，值 %1 到 %2</numerusform></translation></message>
    <message><source>No histograms yet</source><translation>尚无直方图</translation></message>
    <message><source>%1 of %2 histograms are drawn</source><translation>已绘制 %1 / %2 个直方图</translation></message>
    <message><source>%1 · %2 values from %3 to %4 · %5 in all</source><translation>%1 · %2 个值，从 %3 到 %4 · 共 %5</translation></message>
</context>
<context>
    <name>trainyard::widgets::InlineMessage</name>
    <message><source>Details</source><translation>细节</translation></message>
    <message><source>Copy</source><translation>复制</translation></message>
    <message><source>Dismiss</source><translation>关闭</translation></message>
</context>
<context>
    <name>trainyard::widgets::LogView</name>
    <message><source>1 new line ↓</source><translation>1 行新内容 ↓</translation></message>
    <message><source>%1 new lines ↓</source><translation>%1 行新内容 ↓</translation></message>
</context>
<context>
    <name>trainyard::widgets::NavButton</name>
    <message numerus="yes"><source>, %n unread</source><translation><numerusform>，%n 条未读</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ParallelCoordinates</name>
    <message numerus="yes"><source>%n runs, %1 columns, %2 runs inside all ranges</source><translation><numerusform>%n 个运行，%1 列，%2 个运行在所有范围内</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::PictureView</name>
    <message><source>The picture of step %1 in %2 cannot be shown: %3.</source><translation>%2 中第 %1 步的图片无法显示：%3。</translation></message>
    <message><source>it has %1 bytes, the limit is %2</source><translation>其大小为 %1 字节，上限为 %2</translation></message>
    <message><source>the file is truncated</source><translation>文件在图片中间结束</translation></message>
    <message><source>it is not a PNG, JPEG, GIF, BMP or WebP image</source><translation>它不是 PNG、JPEG、GIF、BMP 或 WebP</translation></message>
    <message><source>Step</source><translation>步</translation></message>
    <message><source>No pictures yet</source><translation>尚无图片</translation></message>
    <message><source>step %1</source><translation>第 %1 步</translation></message>
    <message><source>Pause the picture (Space)</source><translation>暂停图片 (Space)</translation></message>
    <message><source>Play the pictures (Space)</source><translation>播放图片 (Space)</translation></message>
    <message><source>it has %1 × %2 pixels</source><translation>其尺寸为 %1 × %2 像素</translation></message>
    <message><source>step %1, %2 × %3 pixels</source><translation>第 %1 步，%2 × %3 像素</translation></message>
</context>
<context>
    <name>trainyard::widgets::PlotCanvas</name>
    <message numerus="yes"><source>and %n more</source><translation><numerusform>另有 %n 个</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ScatterPlot</name>
    <message numerus="yes"><source>%n runs, %1 against %2</source><translation><numerusform>%n 个运行，%1 与 %2</numerusform></translation></message>
    <message><source>not shown here: %1</source><translation>此处无位置：%1</translation></message>
    <message><source>%1: %2 %3, %4 %5</source><translation>%1：%2 %3，%4 %5</translation></message>
</context>
<context>
    <name>trainyard::widgets::SweepPlot</name>
    <message><source>No runs with these values</source><translation>没有具有这些值的运行</translation></message>
</context>
<context>
    <name>trainyard::widgets::TextView</name>
    <message><source>Step</source><translation>步</translation></message>
    <message><source>No text yet</source><translation>尚无文本</translation></message>
    <message><source>link copied</source><translation>链接已复制</translation></message>
    <message><source>step %1</source><translation>第 %1 步</translation></message>
    <message><source>%1 · cut</source><translation>%1 · 已截断</translation></message>
    <message><source>The text is truncated.</source><translation>该文本超出了可保留的长度。</translation></message>
</context>
<context>
    <name>trainyard::widgets::TimelineView</name>
    <message><source>%1 selected</source><translation>已选择 %1</translation></message>
    <message><source>%1 between the marks</source><translation>标记之间为 %1</translation></message>
</context>
<context>
    <name>trainyard::widgets::ValueTable</name>
    <message><source>%1: values</source><translation>%1：值</translation></message>
    <message><source>Copy</source><translation>复制</translation></message>
    <message numerus="yes"><source>%n visible steps</source><translation><numerusform>可见范围内有 %n 步</numerusform></translation></message>
    <message numerus="yes"><source>The first %n visible steps; an export as CSV has all</source><translation><numerusform>可见范围内的前 %n 步；其余可在导出的 CSV 中查看</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ValueTableModel</name>
    <message><source>Step</source><translation>步</translation></message>
</context>
</TS>
