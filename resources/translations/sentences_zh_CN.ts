<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>app/desktop</name>
    <message>
        <source>alarm of the desktop</source>
        <translation>桌面的警报</translation>
    </message>
    <message>
        <source>alarm: %1</source>
        <translation>警报：%1</translation>
    </message>
    <message>
        <source>%1 do not fit: %2 are free in %3</source>
        <translation>%1 放不下：%3 中剩余 %2</translation>
    </message>
    <message>
        <source>resumed from checkpoint %1 of %2</source>
        <translation>从 %2 的 checkpoint %1 恢复</translation>
    </message>
    <message>
        <source>a scenario without a name, a model or devices</source>
        <translation>缺少名称、模型或设备的场景</translation>
    </message>
    <message>
        <source>the model %1 is not known to this version: open its file instead</source>
        <translation>此版本不认识模型 %1：请改为打开它的文件</translation>
    </message>
    <message>
        <source>the device %1 of %2 is not known to this version: choose another</source>
        <translation>此版本不认识 %2 的设备 %1：请选择其他设备</translation>
    </message>
    <message>
        <source>%1 is there already: choose another folder or name</source>
        <translation>%1 已存在：请选择其他文件夹或名称</translation>
    </message>
    <message>
        <source>%1 (touch)</source>
        <translation>%1（需触摸）</translation>
    </message>
    <message>
        <source>%1 is not the copy of a run on another machine</source>
        <translation>%1 不是其他机器上某个运行的副本</translation>
    </message>
    <message>
        <source>the engine did not say what it would start</source>
        <translation>引擎未说明将启动什么</translation>
    </message>
    <message>
        <source>The measured peaks in %1 could not be removed: %2</source>
        <translation>无法删除 %1 中的峰值测量结果：%2</translation>
    </message>
    <message>
        <source>%1 is UTF-16: save it as UTF-8</source>
        <translation>%1 是 UTF-16：请另存为 UTF-8</translation>
    </message>
    <message>
        <source>a line of %1 cannot be read and is left out: line %2</source>
        <translation>%1 中有一行无法读取，已跳过：第 %2 行</translation>
    </message>
    <message>
        <source>%1 lines of %2 cannot be read and are left out: the first is line %3</source>
        <translation>%2 中有 %1 行无法读取，已跳过：首个为第 %3 行</translation>
    </message>
    <message>
        <source>line %1 of %2 is not UTF-8: save the file as UTF-8</source>
        <translation>%2 的第 %1 行不是 UTF-8：请将文件另存为 UTF-8</translation>
    </message>
    <message>
        <source>%1 has no log_history, where the trainer of transformers writes its curves</source>
        <translation>%1 没有 log_history，transformers 的 Trainer 把曲线写在那里</translation>
    </message>
    <message>
        <source>%1 is cut off or damaged at byte %2: everything before it is shown</source>
        <translation>%1 在第 %2 字节处被截断或损坏：之前的内容照常显示</translation>
    </message>
    <message>
        <source>%1 cannot be read: it is not whole, or no JSON</source>
        <translation>无法读取 %1：文件不完整或不是 JSON</translation>
    </message>
    <message>
        <source>%1 has a record of more than %2 MB at byte %3: everything before it is shown</source>
        <translation>%1 在字节 %3 处有超过 %2 MB 的记录：显示其之前的全部内容</translation>
    </message>
    <message>
        <source>%1 is no file of Weights &amp; Biases</source>
        <translation>%1 不是 Weights &amp; Biases 的文件</translation>
    </message>
    <message>
        <source>%1 is damaged at byte %2: everything before it is shown</source>
        <translation>%1 在字节 %2 处损坏：显示其之前的全部内容</translation>
    </message>
    <message>
        <source>The preset %1 is left out: %2</source>
        <translation>已跳过预设 %1：%2</translation>
    </message>
    <message>
        <source>A preset needs a name with a letter or digit in it</source>
        <translation>预设需要一个含字母或数字的名称</translation>
    </message>
    <message>
        <source>%1 cannot be deleted: %2</source>
        <translation>无法删除 %1：%2</translation>
    </message>
    <message>
        <source>%1 cannot be deleted: it is not there any more</source>
        <translation>无法删除 %1：它已不存在</translation>
    </message>
    <message>
        <source>%1 is set in front of the command: settings do not hold environment variables</source>
        <translation>%1 写在命令之前：设置不保存环境变量</translation>
    </message>
    <message>
        <source>--config_file %1 was not read: open that file first, then paste the command</source>
        <translation>未读取 --config_file %1：请先打开该文件，再粘贴命令</translation>
    </message>
    <message>
        <source>--%1 stands only on a command line: no settings file holds it</source>
        <translation>--%1 只用于命令行：设置文件中没有它</translation>
    </message>
    <message>
        <source>--%1 belongs to the program</source>
        <translation>--%1 属于该程序</translation>
    </message>
    <message>
        <source>-%1 belongs to the program</source>
        <translation>-%1 属于该程序</translation>
    </message>
    <message>
        <source>--%1 stands at the end of the command: a value must follow</source>
        <translation>--%1 位于命令末尾：其后必须有值</translation>
    </message>
    <message>
        <source>--nproc_per_node %1 is counted where it runs: the number of processes stays as it is</source>
        <translation>--nproc_per_node %1 在运行处统计：进程数保持不变</translation>
    </message>
    <message>
        <source>--%1 %2 stands only on a command line: no settings file holds it</source>
        <translation>--%1 %2 只用于命令行：设置文件中没有它</translation>
    </message>
    <message>
        <source>--%1 is torchrun's own: it is left out</source>
        <translation>--%1 是 torchrun 自己的选项：已忽略</translation>
    </message>
    <message>
        <source>--%1 '%2' is not a whole number</source>
        <translation>--%1 '%2' 不是整数</translation>
    </message>
    <message>
        <source>--nnodes '%1' is not a number of machines</source>
        <translation>--nnodes '%1' 不是机器数</translation>
    </message>
    <message>
        <source>--nnodes %1 lets the number of machines change: the larger one is taken</source>
        <translation>--nnodes %1 允许机器数变化：取较大的值</translation>
    </message>
    <message>
        <source>the command has a quote %1 that does not end</source>
        <translation>命令中的引号 %1 未闭合</translation>
    </message>
    <message>
        <source>The clipboard is empty: copy a launch command, a settings file or a DeepSpeed JSON first</source>
        <translation>剪贴板为空：请先复制启动命令、设置文件或 DeepSpeed JSON</translation>
    </message>
    <message>
        <source>The clipboard's JSON cannot be read: %1</source>
        <translation>无法读取剪贴板中的 JSON：%1</translation>
    </message>
    <message>
        <source>The clipboard holds no launch command, settings file or DeepSpeed JSON: copy one of them and try again</source>
        <translation>剪贴板中没有启动命令、设置文件或 DeepSpeed JSON：请复制其中之一后重试</translation>
    </message>
</context>
<context>
    <name>app/remote</name>
    <message>
        <source>no socket for the agent: %1</source>
        <translation>无法为代理创建套接字：%1</translation>
    </message>
    <message>
        <source>no agent is used: IdentityAgent is none</source>
        <translation>不使用代理：IdentityAgent 为 none</translation>
    </message>
    <message>
        <source>there is no agent: SSH_AUTH_SOCK is not set</source>
        <translation>没有代理：未设置 SSH_AUTH_SOCK</translation>
    </message>
    <message>
        <source>the agent's socket %1 has too long a path</source>
        <translation>代理套接字 %1 的路径过长</translation>
    </message>
    <message>
        <source>the agent at %1 does not answer: %2</source>
        <translation>%1 处的代理没有响应：%2</translation>
    </message>
    <message>
        <source>the agent at %1 does not tell which keys it has: is it locked?</source>
        <translation>%1 处的代理没有给出其密钥列表：它被锁定了吗？</translation>
    </message>
    <message>
        <source>nothing (the server asks for nothing)</source>
        <translation>无（服务器不要求任何验证）</translation>
    </message>
    <message>
        <source>the server takes: %1</source>
        <translation>服务器接受：%1</translation>
    </message>
    <message>
        <source>one way was taken, the server wants another one, too</source>
        <translation>一种方式已被接受，服务器还要求另一种</translation>
    </message>
    <message>
        <source>%1: the server did not answer within %2 while logging in</source>
        <translation>%1：登录时服务器在 %2 内没有响应</translation>
    </message>
    <message>
        <source>%1: the server hung up after too many attempts to log in as '%2' (%3): name the one right key with IdentityFile and IdentitiesOnly yes in %4</source>
        <translation>%1：以 '%2' 登录的尝试次数过多，服务器已断开连接（%3）：请在 %4 中用 IdentityFile 和 IdentitiesOnly yes 指定唯一正确的密钥</translation>
    </message>
    <message>
        <source>the server hung up: too many attempts</source>
        <translation>服务器已断开连接：尝试次数过多</translation>
    </message>
    <message>
        <source>logging in ended: %1</source>
        <translation>登录中断：%1</translation>
    </message>
    <message>
        <source>%1: '%2' is not let in. The server takes %3; we had nothing of that to offer</source>
        <translation>%1：'%2' 未获准登录。服务器接受 %3；没有可提供的此类凭据</translation>
    </message>
    <message>
        <source>%1: '%2' is not let in. The server takes %3; it refused %4</source>
        <translation>%1：'%2' 未获准登录。服务器接受 %3；它拒绝了 %4</translation>
    </message>
    <message>
        <source>: put a public key of yours into ~/.ssh/authorized_keys of that account, or check the user's name</source>
        <translation>：请将自己的公钥加入该账户的 ~/.ssh/authorized_keys，或检查用户名</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>空</translation>
    </message>
    <message>
        <source>public keys</source>
        <translation>公钥</translation>
    </message>
    <message>
        <source>Kerberos (not supported here)</source>
        <translation>Kerberos（此处不支持）</translation>
    </message>
    <message>
        <source>host-based (not supported here)</source>
        <translation>基于主机的验证（此处不支持）</translation>
    </message>
    <message>
        <source>nothing we know</source>
        <translation>没有已知的方式</translation>
    </message>
    <message>
        <source>%1: taken</source>
        <translation>%1：已接受</translation>
    </message>
    <message>
        <source>%1: taken, more is wanted</source>
        <translation>%1：已接受，还需要其他验证</translation>
    </message>
    <message>
        <source>%1: refused</source>
        <translation>%1：被拒绝</translation>
    </message>
    <message>
        <source>it is not there</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>the key %1 is not used: %2</source>
        <translation>未使用密钥 %1：%2</translation>
    </message>
    <message>
        <source>touch your security key (%1)</source>
        <translation>请触摸安全密钥（%1）</translation>
    </message>
    <message>
        <source>agent: %1 %2</source>
        <translation>代理：%1 %2</translation>
    </message>
    <message>
        <source>agent: %1 %2 (%3)</source>
        <translation>代理：%1 %2（%3）</translation>
    </message>
    <message>
        <source>key: %1</source>
        <translation>密钥：%1</translation>
    </message>
    <message>
        <source>keys of type %1 are not supported from a file: use ssh-agent</source>
        <translation>不支持从文件使用 %1 类型的密钥：请使用 ssh-agent</translation>
    </message>
    <message>
        <source>with its certificate</source>
        <translation>及其证书</translation>
    </message>
    <message>
        <source>its format cannot be read</source>
        <translation>其格式无法读取</translation>
    </message>
    <message>
        <source>nobody could be asked for its passphrase: ssh-add %1</source>
        <translation>无人可输入其密码短语：ssh-add %1</translation>
    </message>
    <message>
        <source>the passphrase was wrong three times</source>
        <translation>密码短语三次错误</translation>
    </message>
    <message>
        <source>passwords in memory are not locked (%1), so the system may write them to swap: raise the limit on locked memory (ulimit -l)</source>
        <translation>内存中的密码未被锁定（%1），系统可能会将其写入交换空间：请提高锁定内存的上限（ulimit -l）</translation>
    </message>
    <message>
        <source>%1: cancelled</source>
        <translation>%1：已取消</translation>
    </message>
    <message>
        <source>the %1 is not kept: %2</source>
        <translation>未保存 %1：%2</translation>
    </message>
    <message>
        <source>the password of the key ring</source>
        <translation>密钥环中的密码</translation>
    </message>
    <message>
        <source>logged in as %1 by %2</source>
        <translation>已以 %1 登录，方式：%2</translation>
    </message>
    <message>
        <source>libcrypto cannot compute SHA-256 here</source>
        <translation>此处的 libcrypto 无法计算 SHA-256</translation>
    </message>
    <message>
        <source>%1 is not there: hosts need it beside this program</source>
        <translation>%1 不存在：主机需要它与本程序位于同一处</translation>
    </message>
    <message>
        <source>%1 needs %2, which is not on this machine</source>
        <translation>%1 需要 %2，而本机上没有</translation>
    </message>
    <message>
        <source>%1 needs %2, which is not on this machine: hosts do without it</source>
        <translation>%1 需要 %2，而本机上没有：主机上将不使用它</translation>
    </message>
    <message>
        <source>%1 could not be asked what it has: %2 (%3)</source>
        <translation>无法查询 %1 的配置：%2（%3）</translation>
    </message>
    <message>
        <source>%1 has an %2 processor, this Trainyard is built for %3: build Trainyard there and name it as the host's engine</source>
        <translation>%1 的处理器为 %2，此 Trainyard 为 %3 构建：请在那里构建 Trainyard，并将其指定为该主机的引擎</translation>
    </message>
    <message>
        <source>%1 has no glibc (a musl system?), this Trainyard needs glibc %2 or newer: build Trainyard there and name it as the host's engine</source>
        <translation>%1 没有 glibc（是 musl 系统吗？），此 Trainyard 需要 glibc %2 或更高版本：请在那里构建 Trainyard，并将其指定为该主机的引擎</translation>
    </message>
    <message>
        <source>%1 has glibc %2, this Trainyard needs %3 or newer: build Trainyard on a system as old as that of %4, or build it there and name it as the host's engine</source>
        <translation>%1 的 glibc 为 %2，此 Trainyard 需要 %3 或更高版本：请在与 %4 同样旧的系统上构建 Trainyard，或在那里构建并将其指定为该主机的引擎</translation>
    </message>
    <message>
        <source>%1 has %2 free for %3, the engine needs %4: make room there, or set XDG_CACHE_HOME in the host's environment</source>
        <translation>%1 上可用于 %3 的空间为 %2，引擎需要 %4：请在那里腾出空间，或在主机的环境变量中设置 XDG_CACHE_HOME</translation>
    </message>
    <message>
        <source>%1 has no program for SHA-256 (sha256sum, shasum or openssl): install its coreutils</source>
        <translation>%1 没有计算 SHA-256 的程序（sha256sum、shasum 或 openssl）：请在那里安装 coreutils</translation>
    </message>
    <message>
        <source>the engine could not be put into %1 on %2: %3</source>
        <translation>无法将引擎放入 %2 上的 %1：%3</translation>
    </message>
    <message>
        <source>%1 files of the engine arrived damaged on %2 twice: look at its disk</source>
        <translation>引擎的 %1 个文件两次传到 %2 后均已损坏：请检查其磁盘</translation>
    </message>
    <message>
        <source>%1: the server did not open a channel within %2</source>
        <translation>%1：服务器在 %2 内没有打开通道</translation>
    </message>
    <message>
        <source>%1: the server lets no command run: %2: are there too many sessions over one connection (MaxSessions)?</source>
        <translation>%1：服务器不允许运行命令：%2：同一连接上的会话是否过多（MaxSessions）？</translation>
    </message>
    <message>
        <source>%1: the server did not start a command within %2</source>
        <translation>%1：服务器在 %2 内没有启动命令</translation>
    </message>
    <message>
        <source>%1: its SSH server offers no file transfer: sshd_config needs 'Subsystem sftp internal-sftp'</source>
        <translation>%1：其 SSH 服务器不提供文件传输：sshd_config 中需要 'Subsystem sftp internal-sftp'</translation>
    </message>
    <message>
        <source>%1: the server refuses to run commands for '%2'</source>
        <translation>%1：服务器拒绝为 '%2' 运行命令</translation>
    </message>
    <message>
        <source>%1: a command printed more than 64 MB</source>
        <translation>%1：某个命令的输出超过 64 MB</translation>
    </message>
    <message>
        <source>%1: a command did not end within %2</source>
        <translation>%1：某个命令在 %2 内没有结束</translation>
    </message>
    <message>
        <source>checkpoint.resume_from: %1 is a folder of this machine and cannot be copied to %2: %3: bring it to the same path there, or name a checkpoint that all hosts have</source>
        <translation>checkpoint.resume_from：%1 是本机上的文件夹，无法复制到 %2：%3：请将其放到那里的相同路径下，或指定所有主机都有的 checkpoint</translation>
    </message>
    <message>
        <source>it has %1, and %2 are free there</source>
        <translation>其大小为 %1，那里可用 %2</translation>
    </message>
    <message>
        <source>getent hosts %1</source>
        <translation>getent hosts %1</translation>
    </message>
    <message>
        <source>%1: the name service did not answer for '%2' within %3: is the network up?</source>
        <translation>%1：名称服务在 %3 内没有响应对 '%2' 的查询：网络是否可用？</translation>
    </message>
    <message>
        <source>%1: the name service cannot look up '%2' at the moment: is the network up?</source>
        <translation>%1：名称服务目前无法查询 '%2'：网络是否可用？</translation>
    </message>
    <message>
        <source>%1: there is no address for the name '%2': is it spelled right, is it in ~/.ssh/config or DNS?</source>
        <translation>%1：名称 '%2' 没有对应的地址：拼写是否正确，是否在 ~/.ssh/config 或 DNS 中？</translation>
    </message>
    <message>
        <source>%1: nothing listens on port %2: does sshd run there, and is the port right?</source>
        <translation>%1：端口 %2 上没有服务在监听：那里是否运行着 sshd，端口是否正确？</translation>
    </message>
    <message>
        <source>%1: no answer within %2: is the host up, and does a firewall let port %3 through?</source>
        <translation>%1：%2 内没有响应：主机是否已开机，防火墙是否放行端口 %3？</translation>
    </message>
    <message>
        <source>%1: there is no way to it through the network (%2): is this machine in the right network or VPN?</source>
        <translation>%1：网络中没有通往它的路由（%2）：本机是否在正确的网络或 VPN 中？</translation>
    </message>
    <message>
        <source>ip route get %1</source>
        <translation>ip route get %1</translation>
    </message>
    <message>
        <source>%1: it cannot be reached: %2</source>
        <translation>%1：无法连接：%2</translation>
    </message>
    <message>
        <source>%1: BindAddress %2 of ssh_config is no address of this machine</source>
        <translation>%1：ssh_config 中的 BindAddress %2 不是本机的地址</translation>
    </message>
    <message>
        <source>connect to %1 port %2: connected</source>
        <translation>连接到 %1 端口 %2：已连接</translation>
    </message>
    <message>
        <source>connect to %1 port %2: %3</source>
        <translation>连接到 %1 端口 %2：%3</translation>
    </message>
    <message>
        <source>the ProxyCommand '%1' ended with exit status %2</source>
        <translation>ProxyCommand '%1' 已结束，退出状态 %2</translation>
    </message>
    <message>
        <source>the ProxyCommand '%1' ended with exit status %2: %3</source>
        <translation>ProxyCommand '%1' 已结束，退出状态 %2：%3</translation>
    </message>
    <message>
        <source>the ProxyCommand '%1' ended</source>
        <translation>ProxyCommand '%1' 已结束</translation>
    </message>
    <message>
        <source>the ProxyCommand '%1' ended: %2</source>
        <translation>ProxyCommand '%1' 已结束：%2</translation>
    </message>
    <message>
        <source>%1: no socket for its ProxyCommand: %2</source>
        <translation>%1：无法为其 ProxyCommand 创建套接字：%2</translation>
    </message>
    <message>
        <source>%1: its ProxyCommand '%2' cannot be started: %3</source>
        <translation>%1：无法启动其 ProxyCommand '%2'：%3</translation>
    </message>
    <message>
        <source>ProxyCommand %1 started</source>
        <translation>ProxyCommand %1 已启动</translation>
    </message>
    <message>
        <source>%1 is no 64-bit ELF file, or is damaged</source>
        <translation>%1 不是 64 位 ELF 文件，或已损坏</translation>
    </message>
    <message>
        <source>ELF machine %1</source>
        <translation>ELF 机器类型 %1</translation>
    </message>
    <message>
        <source>%1 more problems like these</source>
        <translation>还有 %1 个类似的问题</translation>
    </message>
    <message>
        <source>%1: files are left out whose names contain control characters or are not UTF-8: %2</source>
        <translation>%1：名称包含控制字符或不是 UTF-8 的文件已被略去：%2</translation>
    </message>
    <message>
        <source>%1 is not looked into: it is more than %2 folders deep</source>
        <translation>未查看 %1：它的层级超过 %2 层文件夹</translation>
    </message>
    <message>
        <source>%1 is left out: its path is too long</source>
        <translation>已略过 %1：其路径过长</translation>
    </message>
    <message>
        <source>%1 is limited to %2 MB of file names</source>
        <translation>%1 的文件名总量限制为 %2 MB</translation>
    </message>
    <message>
        <source>nvidia-smi did not answer within 4 s: the driver hangs</source>
        <translation>nvidia-smi 在 4 s 内没有响应：驱动程序已挂起</translation>
    </message>
    <message>
        <source>nvidia-smi failed without a word</source>
        <translation>nvidia-smi 失败，没有给出消息</translation>
    </message>
    <message>
        <source>Intel GPU %1</source>
        <translation>Intel GPU %1</translation>
    </message>
    <message>
        <source>%1 did not say what it has: the answer of its shell was cut short</source>
        <translation>%1 没有给出其配置：其 shell 的响应被截断</translation>
    </message>
    <message>
        <source>this machine cannot be asked: /bin/sh could not be started</source>
        <translation>无法查询本机：无法启动 /bin/sh</translation>
    </message>
    <message>
        <source>this machine did not say what it has within 20 s: `df` or `nvidia-smi` hangs</source>
        <translation>本机在 20 s 内没有给出其配置：`df` 或 `nvidia-smi` 已挂起</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>%1 answered with a line of more than 8 MB</source>
        <translation>%1 的应答中有一行超过 8 MB</translation>
    </message>
    <message>
        <source>`trainyard probe` ended on %1 before it answered</source>
        <translation>%1 上的 `trainyard probe` 在响应之前已结束</translation>
    </message>
    <message>
        <source>%1 did not answer for %2 s</source>
        <translation>%1 已有 %2 s 没有响应</translation>
    </message>
    <message>
        <source>%1: the key is not remembered, as %2 says something else about this host: when the new key is right, take that line out first</source>
        <translation>%1：未记住该密钥，因为 %2 中关于此主机的记录不同：如果新密钥正确，请先删除那一行</translation>
    </message>
    <message>
        <source>%1 could not be started</source>
        <translation>无法启动 %1</translation>
    </message>
    <message>
        <source>the program on this machine ended</source>
        <translation>本机上的程序已结束</translation>
    </message>
    <message>
        <source>%1 took too long on this machine</source>
        <translation>%1 在本机上耗时过长</translation>
    </message>
    <message>
        <source>a table with the key 'hosts' was expected, not %1</source>
        <translation>应为含有键 'hosts' 的表，而不是 %1</translation>
    </message>
    <message>
        <source>a list of hosts was expected, not %1</source>
        <translation>应为主机列表，而不是 %1</translation>
    </message>
    <message>
        <source>a text was expected, not %1</source>
        <translation>应为文本，而不是 %1</translation>
    </message>
    <message>
        <source>a table with the key 'name' was expected, not %1</source>
        <translation>应为含有键 'name' 的表，而不是 %1</translation>
    </message>
    <message>
        <source>the host '%1' is there twice</source>
        <translation>主机 '%1' 出现了两次</translation>
    </message>
    <message>
        <source>a whole number was expected, not %1</source>
        <translation>应为整数，而不是 %1</translation>
    </message>
    <message>
        <source>true or false was expected, not %1</source>
        <translation>应为 true 或 false，而不是 %1</translation>
    </message>
    <message>
        <source>a table of variables was expected, not %1</source>
        <translation>应为变量表，而不是 %1</translation>
    </message>
    <message>
        <source># Hosts of Trainyard. Those of ~/.ssh/config need not be here.</source>
        <translation># Hosts of Trainyard. Those of ~/.ssh/config need not be here.</translation>
    </message>
    <message>
        <source>host %1</source>
        <translation>主机 %1</translation>
    </message>
    <message>
        <source>a host needs a name</source>
        <translation>主机需要名称</translation>
    </message>
    <message>
        <source>host %1...: a host name has at most 253 letters</source>
        <translation>主机 %1...：主机名最多 253 个字符</translation>
    </message>
    <message>
        <source>%1a host name begins with a letter or a digit</source>
        <translation>%1主机名须以字母或数字开头</translation>
    </message>
    <message>
        <source>%1a host name may not contain `:`: a port is a field of its own</source>
        <translation>%1主机名不能包含 `:`：端口有单独的字段</translation>
    </message>
    <message>
        <source>%1a host name may not contain `_`: did you mean %2?</source>
        <translation>%1主机名不能包含 `_`：是否指 %2？</translation>
    </message>
    <message>
        <source>%1a host name may not contain `@`: the user is a field of its own</source>
        <translation>%1主机名不能包含 `@`：用户有单独的字段</translation>
    </message>
    <message>
        <source>blanks or special letters</source>
        <translation>空格或特殊字符</translation>
    </message>
    <message>
        <source>%1a host name may not contain `%2`</source>
        <translation>%1主机名不能包含 `%2`</translation>
    </message>
    <message>
        <source>%1a host name may not contain %2</source>
        <translation>%1主机名不能包含 %2</translation>
    </message>
    <message>
        <source>host %1: the name has blanks, slashes, quotes, `@`, `,`, wildcards or characters that a shell interprets in it, or begins with a dash</source>
        <translation>主机 %1：名称中含有空格、斜杠、引号、`@`、`,`、通配符或会被 shell 解释的字符，或以短横线开头</translation>
    </message>
    <message>
        <source>host %1: a port is a number from 1 to 65535, not %2</source>
        <translation>主机 %1：端口须为 1 到 65535 的数字，而不是 %2</translation>
    </message>
    <message>
        <source>host %1: '%2' is not a valid user name</source>
        <translation>主机 %1：'%2' 不是有效的用户名</translation>
    </message>
    <message>
        <source>host %1: %2</source>
        <translation>主机 %1：%2</translation>
    </message>
    <message>
        <source>host %1: %2 has line ends or control letters in it</source>
        <translation>主机 %1：%2 包含换行符或控制字符</translation>
    </message>
    <message>
        <source>host %1: %2 has to begin with / or ~/, as it means a place on the host</source>
        <translation>主机 %1：%2 须以 / 或 ~/ 开头，因为它表示主机上的位置</translation>
    </message>
    <message>
        <source>host %1: max_gpus is a number from 0 to 1024, not %2</source>
        <translation>主机 %1：max_gpus 须为 0 到 1024 的数字，而不是 %2</translation>
    </message>
    <message>
        <source>host %1: '%2' cannot be the name of an environment variable</source>
        <translation>主机 %1：'%2' 不能作为环境变量的名称</translation>
    </message>
    <message>
        <source>host %1: the value of %2 has a NUL byte in it</source>
        <translation>主机 %1：%2 的值包含 NUL 字节</translation>
    </message>
    <message>
        <source>host %1: %2 is a whole number, not '%3'</source>
        <translation>主机 %1：%2 须为整数，而不是 '%3'</translation>
    </message>
    <message>
        <source>host %1: use is true or false, not '%2'</source>
        <translation>主机 %1：use 须为 true 或 false，而不是 '%2'</translation>
    </message>
    <message>
        <source>host %1: unknown key '%2'%3</source>
        <translation>主机 %1：未知的键 '%2'%3</translation>
    </message>
    <message>
        <source>%1 has been changed by another program meanwhile: nothing was saved, try again</source>
        <translation>%1 已被其他程序更改：未保存任何内容，请重试</translation>
    </message>
    <message>
        <source>it is no file</source>
        <translation>不是文件</translation>
    </message>
    <message>
        <source>other users can read it: chmod 600 %1</source>
        <translation>其他用户可以读取它：chmod 600 %1</translation>
    </message>
    <message>
        <source>it is no private key</source>
        <translation>不是私钥</translation>
    </message>
    <message>
        <source>, as seen from the jump host %1</source>
        <translation>，从跳板机 %1 来看</translation>
    </message>
    <message>
        <source>%1: this jump host does not connect us to %2: its sshd_config has to allow TCP forwarding (AllowTcpForwarding, PermitOpen)</source>
        <translation>%1：此跳板机未转接到 %2：其 sshd_config 须允许 TCP 转发（AllowTcpForwarding、PermitOpen）</translation>
    </message>
    <message>
        <source>%1: nothing listens on port %2</source>
        <translation>%1：端口 %2 上没有服务在监听</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>timed out</translation>
    </message>
    <message>
        <source>%1: no answer%2</source>
        <translation>%1：没有响应%2</translation>
    </message>
    <message>
        <source>%1: there is no way to it through the network%2</source>
        <translation>%1：网络中没有通往它的路由%2</translation>
    </message>
    <message>
        <source>Name or service</source>
        <translation>Name or service</translation>
    </message>
    <message>
        <source>Unknown host</source>
        <translation>Unknown host</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>not known</translation>
    </message>
    <message>
        <source>name resolution</source>
        <translation>name resolution</translation>
    </message>
    <message>
        <source>%1: there is no address for the name '%2'%3</source>
        <translation>%1：名称 '%2' 没有对应的地址%3</translation>
    </message>
    <message>
        <source>%1: it cannot be reached%2: %3</source>
        <translation>%1：无法连接%2：%3</translation>
    </message>
    <message>
        <source>%1: no socket for its jump host: %2</source>
        <translation>%1：无法为其跳板机创建套接字：%2</translation>
    </message>
    <message>
        <source>%1: no answer within %2, as seen from the jump host %3: is the host up?</source>
        <translation>%1：从跳板机 %3 来看，%2 内没有响应：主机是否已开机？</translation>
    </message>
    <message>
        <source>there is no key ring: no desktop session is under way (DBUS_SESSION_BUS_ADDRESS is not set)</source>
        <translation>没有密钥环：没有正在运行的桌面会话（未设置 DBUS_SESSION_BUS_ADDRESS）</translation>
    </message>
    <message>
        <source>there is no key ring: libsecret is not installed (Debian: libsecret-1-0)</source>
        <translation>没有密钥环：未安装 libsecret（Debian：libsecret-1-0）</translation>
    </message>
    <message>
        <source>the key ring cannot be used: libsecret has no %1</source>
        <translation>无法使用密钥环：libsecret 没有 %1</translation>
    </message>
    <message>
        <source>it did not say why</source>
        <translation>它没有说明原因</translation>
    </message>
    <message>
        <source>the key ring does not answer: %1</source>
        <translation>密钥环没有响应：%1</translation>
    </message>
    <message>
        <source>Trainyard: %1 of %2</source>
        <translation>Trainyard: %1 of %2</translation>
    </message>
    <message>
        <source>the key ring did not keep it: %1</source>
        <translation>密钥环未能保存：%1</translation>
    </message>
    <message>
        <source>%1 is a key revocation list that ssh-keygen did not read</source>
        <translation>%1 是 ssh-keygen 未能读取的密钥吊销列表</translation>
    </message>
    <message>
        <source>%1 is a key revocation list that ssh-keygen did not read: %2</source>
        <translation>%1 是 ssh-keygen 未能读取的密钥吊销列表：%2</translation>
    </message>
    <message>
        <source>%1:%2 is not a public key</source>
        <translation>%1:%2 不是公钥</translation>
    </message>
    <message>
        <source>the system gives no random numbers, which hashed names of known_hosts need</source>
        <translation>系统未提供随机数，而 known_hosts 的哈希名称需要随机数</translation>
    </message>
    <message>
        <source>the order of a launch</source>
        <translation>启动的指令</translation>
    </message>
    <message>
        <source>has %1 %2, the launching machine has %3: install the same version on both, or leave out the host's engine so that ours is brought along</source>
        <translation>装有 %1 %2，而发起启动的机器装有 %3：请在两边安装相同版本，或不指定主机的引擎，以便随附我们的引擎</translation>
    </message>
    <message>
        <source>the host's answer</source>
        <translation>主机的响应</translation>
    </message>
    <message>
        <source>cannot make an event descriptor: %1</source>
        <translation>无法创建事件描述符：%1</translation>
    </message>
    <message>
        <source>the other side closed it</source>
        <translation>对方已将其关闭</translation>
    </message>
    <message>
        <source>connection lost: %1</source>
        <translation>连接已中断：%1</translation>
    </message>
    <message>
        <source>%1: the connection is lost: %2</source>
        <translation>%1：连接已中断：%2</translation>
    </message>
    <message>
        <source>nothing was heard for %1</source>
        <translation>已有 %1 没有收到消息</translation>
    </message>
    <message>
        <source>%1: these settings cannot be used: %2</source>
        <translation>%1：这些设置无法使用：%2</translation>
    </message>
    <message>
        <source>%1 '%2' of ssh_config is not followed: %3</source>
        <translation>未采用 ssh_config 中的 %1 '%2'：%3</translation>
    </message>
    <message>
        <source>%1: RequiredRSASize %2 of ssh_config cannot be used: %3</source>
        <translation>%1：无法使用 ssh_config 的 RequiredRSASize %2：%3</translation>
    </message>
    <message>
        <source>%1: no answer from its SSH server within %2: the connection was taken, but nothing speaks SSH behind it in time</source>
        <translation>%1：其 SSH 服务器在 %2 内没有响应：连接已被接受，但其后没有服务及时以 SSH 应答</translation>
    </message>
    <message>
        <source>no key exchange: %1</source>
        <translation>未完成密钥交换：%1</translation>
    </message>
    <message>
        <source>%1: the other side hung up before it said that it speaks SSH: is the port right, and does the server let this machine in?</source>
        <translation>%1：对方在表明使用 SSH 之前已断开连接：端口是否正确，服务器是否允许本机连接？</translation>
    </message>
    <message>
        <source>%1: the server hung up while keys were exchanged: %2</source>
        <translation>%1：服务器在密钥交换期间断开了连接：%2</translation>
    </message>
    <message>
        <source>%1: no SSH connection can be made to what answers there: %2</source>
        <translation>%1：无法与那里的响应方建立 SSH 连接：%2</translation>
    </message>
    <message>
        <source>server: %1</source>
        <translation>服务器：%1</translation>
    </message>
    <message>
        <source>key exchange: %1, %2</source>
        <translation>密钥交换：%1，%2</translation>
    </message>
    <message>
        <source>did not end within %1</source>
        <translation>未在 %1 内结束</translation>
    </message>
    <message>
        <source>cannot be started</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>ended with an error</source>
        <translation>因错误而结束</translation>
    </message>
    <message>
        <source>%1: the KnownHostsCommand '%2' of ssh_config %3, and without it host keys cannot be checked</source>
        <translation>%1：ssh_config 的 KnownHostsCommand '%2' %3，没有它就无法检查主机密钥</translation>
    </message>
    <message>
        <source>%1: the KnownHostsCommand '%2' of ssh_config %3: %4, and without it host keys cannot be checked</source>
        <translation>%1：ssh_config 的 KnownHostsCommand '%2' %3：%4，没有它就无法检查主机密钥</translation>
    </message>
    <message>
        <source>KnownHostsCommand %1 was asked for %2</source>
        <translation>已向 KnownHostsCommand %1 查询 %2</translation>
    </message>
    <message>
        <source>%1: the server showed no host key</source>
        <translation>%1：服务器没有出示 host key</translation>
    </message>
    <message>
        <source>%1: the server's host key cannot be read</source>
        <translation>%1：无法读取服务器的 host key</translation>
    </message>
    <message>
        <source>%1 key %2</source>
        <translation>%1 密钥 %2</translation>
    </message>
    <message>
        <source>host key: %1</source>
        <translation>host key：%1</translation>
    </message>
    <message>
        <source>%1: RevokedHostKeys of ssh_config cannot be used, so no host key is accepted: %2: repair or create the file, or remove the line from ssh_config</source>
        <translation>%1：无法使用 ssh_config 的 RevokedHostKeys，因此不接受任何主机密钥：%2：请修复或创建该文件，或从 ssh_config 中删除该行</translation>
    </message>
    <message>
        <source>host key is known: %1</source>
        <translation>host key 已知：%1</translation>
    </message>
    <message>
        <source>%1: its host key is revoked in %2 (%3): somebody said that this key is no longer to be trusted, so no connection is made</source>
        <translation>%1：其 host key 已在 %2 中被吊销（%3）：该记录表明此密钥不再可信，因此不建立连接</translation>
    </message>
    <message>
        <source>%1: THE HOST KEY HAS CHANGED. The server now shows the %2, %3 says %4: either the host was set up anew, or somebody listens in. Ask whoever looks after the host; when the new key is right, remove the old line</source>
        <translation>%1：HOST KEY 已更改。服务器现在出示的是 %2，而 %3 中记录的是 %4：要么主机已重新安装，要么有人在窃听。请询问主机的管理员；如果新密钥正确，请删除旧的那一行</translation>
    </message>
    <message>
        <source>host key is taken for this time only</source>
        <translation>仅此一次接受该 host key</translation>
    </message>
    <message>
        <source>A certificate authority is named for it, but host certificates are not supported.</source>
        <translation>已为其指定证书颁发机构，但不支持主机证书。</translation>
    </message>
    <message>
        <source>%1: its host key is not known yet: %2. Compare it with what the host's keeper says, then trust it.%3</source>
        <translation>%1：其 host key 尚未知晓：%2。请与主机管理员提供的信息核对，然后再信任。%3</translation>
    </message>
    <message>
        <source>%1: THE HOST SHOWS A KEY OF ANOTHER TYPE. %2 has its %3 key, which was asked for, and the server shows the %4: either the old key was removed there, or somebody listens in. Ask whoever looks after the host before you trust it.%5</source>
        <translation>%1：主机出示了另一种类型的密钥。%2 中有其 %3 密钥，请求的也是该密钥，而服务器出示的是 %4：要么旧密钥已在那里删除，要么有人在窃听。请先询问主机的管理员，再决定是否信任。%5</translation>
    </message>
    <message>
        <source>trainyard hosts trust %1</source>
        <translation>trainyard hosts trust %1</translation>
    </message>
    <message>
        <source>%1 of %2 files are not copied: the newest %3 are</source>
        <translation>%2 个文件中有 %1 个未复制：只复制最新的 %3 个</translation>
    </message>
    <message>
        <source>the copy of %1</source>
        <translation>%1 的副本</translation>
    </message>
    <message>
        <source>%1 more files cannot be read</source>
        <translation>还有 %1 个文件无法读取</translation>
    </message>
    <message>
        <source>the copy is limited to %1 and %2 files and folders: what exceeds that stays on the host</source>
        <translation>副本限制为 %1 以及 %2 个文件和文件夹：超出的部分留在主机上</translation>
    </message>
    <message>
        <source>%1 is a symbolic link: a copy of a run has none, remove it</source>
        <translation>%1 是符号链接：运行的副本中没有符号链接，请将其删除</translation>
    </message>
    <message>
        <source>%1 is there already and is not the copy of %2: move it away, or attach with another $TRAINYARD_RUNS</source>
        <translation>%1 已存在，且不是 %2 的副本：请将其移走，或使用另一个 $TRAINYARD_RUNS 附加</translation>
    </message>
    <message>
        <source>%1 is not a copy of a run on another machine that this account made: `trainyard runs attach HOST:/FOLDER` makes one</source>
        <translation>%1 不是此账户创建的其他机器上运行的副本：`trainyard runs attach HOST:/FOLDER` 可以创建副本</translation>
    </message>
    <message>
        <source>%1. Passwords are not stored after the login: trainyard runs attach %2:%3 asks for them again</source>
        <translation>%1。登录后不保存密码：trainyard runs attach %2:%3 会再次询问</translation>
    </message>
    <message>
        <source>the copy of the run could not be kept current: %1 could not be started</source>
        <translation>无法使运行的副本保持最新：无法启动 %1</translation>
    </message>
    <message>
        <source>the copy of the run could not be kept current: %1</source>
        <translation>无法使运行的副本保持最新：%1</translation>
    </message>
    <message>
        <source>%1 could not list its runs: %2</source>
        <translation>%1 无法列出其运行：%2</translation>
    </message>
    <message>
        <source>%1 did not answer with a list of its runs</source>
        <translation>%1 没有返回其运行列表</translation>
    </message>
    <message>
        <source>the runs of %1</source>
        <translation>%1 的运行列表</translation>
    </message>
    <message>
        <source>%1 is not the copy of a run on another machine: its checkpoints are here</source>
        <translation>%1 不是其他机器上某个运行的副本：其 checkpoint 就在此处</translation>
    </message>
    <message>
        <source>%1 was not copied by this account: `trainyard runs attach %2:%3` continues the copy</source>
        <translation>%1 不是由此账户复制的：`trainyard runs attach %2:%3` 可继续复制</translation>
    </message>
    <message>
        <source>run %1 on %2 has no checkpoint yet</source>
        <translation>%2 上的运行 %1 还没有 checkpoint</translation>
    </message>
    <message>
        <source>the list of checkpoints of %1:%2</source>
        <translation>%1:%2 的检查点列表</translation>
    </message>
    <message>
        <source>, ... (%1 more)</source>
        <translation>……（还有 %1 个）</translation>
    </message>
    <message>
        <source>run %1 on %2 has no whole checkpoint '%3': it has none</source>
        <translation>%2 上的运行 %1 没有完好的 checkpoint '%3'：它没有任何 checkpoint</translation>
    </message>
    <message>
        <source>run %1 on %2 has no whole checkpoint '%3': it has %4</source>
        <translation>%2 上的运行 %1 没有完好的 checkpoint '%3'：它有 %4</translation>
    </message>
    <message>
        <source>%1: %2 cannot be copied whole: %3</source>
        <translation>%1：%2 无法完整复制：%3</translation>
    </message>
    <message>
        <source>the copy of %1:%2</source>
        <translation>%1:%2 的副本</translation>
    </message>
    <message>
        <source>cannot rename %1: %2</source>
        <translation>无法重命名 %1：%2</translation>
    </message>
    <message>
        <source>the host sent a file that does not belong to a run's folder: '%1'</source>
        <translation>主机发送了不属于运行文件夹的文件：“%1”</translation>
    </message>
    <message>
        <source>TRAINYARD_MIRROR_LIMIT is '%1': it must be a number of bytes</source>
        <translation>TRAINYARD_MIRROR_LIMIT 为“%1”：必须是字节数</translation>
    </message>
    <message>
        <source>the copy of run %1</source>
        <translation>运行 %1 的副本</translation>
    </message>
    <message>
        <source>the host sent a mark of a file that is too long</source>
        <translation>主机发送的文件标识过长</translation>
    </message>
    <message>
        <source>the host moved a file that is not here: %1</source>
        <translation>主机移动了此处不存在的文件：%1</translation>
    </message>
    <message>
        <source>the host sent a part of %1 that does not follow on what is here</source>
        <translation>主机发送的 %1 的部分与此处已有内容不衔接</translation>
    </message>
    <message>
        <source>%1 was changed by another program</source>
        <translation>%1 已被其他程序更改</translation>
    </message>
    <message>
        <source>the host sent a message that is too long</source>
        <translation>主机发送的消息过长</translation>
    </message>
    <message>
        <source>what the host sent</source>
        <translation>主机发送的内容</translation>
    </message>
    <message>
        <source>the connection ended</source>
        <translation>连接已结束</translation>
    </message>
    <message>
        <source>what the host said</source>
        <translation>主机给出的内容</translation>
    </message>
    <message>
        <source>the host's Trainyard speaks another version: install the same version on both</source>
        <translation>主机上的 Trainyard 使用另一个版本的协议：请在两端安装相同的版本</translation>
    </message>
    <message>
        <source>%1 is gone</source>
        <translation>%1 已不存在</translation>
    </message>
    <message>
        <source>nothing was heard for %1 s</source>
        <translation>已有 %1 s 没有收到消息</translation>
    </message>
    <message>
        <source>%1 does not answer</source>
        <translation>%1 没有响应</translation>
    </message>
    <message>
        <source>can be written</source>
        <translation>可写</translation>
    </message>
    <message>
        <source>new, can be written</source>
        <translation>新建，可写</translation>
    </message>
    <message>
        <source>%1 is not a folder</source>
        <translation>%1 不是文件夹</translation>
    </message>
    <message>
        <source>choose another folder for runs</source>
        <translation>请为运行选择其他文件夹</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 不可写：%2</translation>
    </message>
    <message>
        <source>choose another folder for runs, or change its rights</source>
        <translation>请为运行选择其他文件夹，或更改其权限</translation>
    </message>
    <message>
        <source>the free space of %1 is not known: %2</source>
        <translation>%1 的剩余空间未知：%2</translation>
    </message>
    <message>
        <source>make sure that checkpoints fit</source>
        <translation>请确保放得下 checkpoint</translation>
    </message>
    <message>
        <source>%1 free, needs %2</source>
        <translation>可用 %1，需要 %2</translation>
    </message>
    <message>
        <source>the disk of %1 is too full: %2</source>
        <translation>%1 所在磁盘空间不足：%2</translation>
    </message>
    <message>
        <source>make room, or choose another folder for runs</source>
        <translation>请腾出空间，或为运行选择其他文件夹</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>%1（可用 %2）</translation>
    </message>
    <message>
        <source>take a smaller micro-batch with more accumulation, or fewer ranks</source>
        <translation>请减小 micro-batch 并增加累积，或减少 rank 数</translation>
    </message>
    <message>
        <source>needs about %1, the machine has %2</source>
        <translation>约需 %1，机器有 %2</translation>
    </message>
    <message>
        <source>about %1: the machine may swap or end the run</source>
        <translation>约 %1：机器可能使用交换空间或终止此运行</translation>
    </message>
    <message>
        <source>a free one is taken</source>
        <translation>使用空闲端口</translation>
    </message>
    <message>
        <source>%1 is free</source>
        <translation>%1 空闲</translation>
    </message>
    <message>
        <source>take port 0: a free one is found then</source>
        <translation>请使用端口 0：届时会找到空闲端口</translation>
    </message>
    <message>
        <source>port %1: %2</source>
        <translation>端口 %1：%2</translation>
    </message>
    <message>
        <source>; port %1: %2</source>
        <translation>；端口 %1：%2</translation>
    </message>
    <message>
        <source>end what uses it, or take port 0: a free one is found then</source>
        <translation>请结束占用它的程序，或使用端口 0：届时会找到空闲端口</translation>
    </message>
    <message>
        <source>mend %1 in the recipe</source>
        <translation>请在配方中修正 %1</translation>
    </message>
    <message>
        <source>needs: %1</source>
        <translation>需要：%1</translation>
    </message>
    <message>
        <source>waits for: %1</source>
        <translation>等待：%1</translation>
    </message>
    <message>
        <source>%1 was not found</source>
        <translation>找不到 %1</translation>
    </message>
    <message>
        <source>check its name, or give its path</source>
        <translation>请检查其名称，或给出其路径</translation>
    </message>
    <message>
        <source>%1 cannot be run</source>
        <translation>无法运行 %1</translation>
    </message>
    <message>
        <source>install Python, or name one in TRAINYARD_PYTHON</source>
        <translation>请安装 Python，或在 TRAINYARD_PYTHON 中指定</translation>
    </message>
    <message>
        <source>torch cannot be imported by %1</source>
        <translation>%1 无法导入 torch</translation>
    </message>
    <message>
        <source>install it there, unless the script does without</source>
        <translation>请在那里安装它，除非脚本不需要</translation>
    </message>
    <message>
        <source>choose the script again, or copy it there</source>
        <translation>请重新选择脚本，或将其复制到那里</translation>
    </message>
    <message>
        <source>build it again, or name it in TRAINYARD_WORKER</source>
        <translation>请重新构建，或在 TRAINYARD_WORKER 中指定</translation>
    </message>
    <message>
        <source>an argument for a remote command has a NUL byte in it, which no command line can hold</source>
        <translation>远程命令的某个参数包含 NUL 字节，而命令行无法包含该字节</translation>
    </message>
    <message>
        <source>a remote command has no program</source>
        <translation>远程命令中没有程序</translation>
    </message>
    <message>
        <source>'%1' cannot be the name of an environment variable on a host</source>
        <translation>'%1' 不能作为主机上环境变量的名称</translation>
    </message>
    <message>
        <source>%1 has no Trainyard yet: `trainyard launch --check --hosts` brings it, and looks at this too</source>
        <translation>%1 上还没有 Trainyard：`trainyard launch --check --hosts` 会将其带去，并同时检查此项</translation>
    </message>
    <message>
        <source>it was cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>%1:%2 does not exist: name the folder of a checkpoint, or a file of weights</source>
        <translation>%1:%2 不存在：请指定 checkpoint 文件夹或权重文件</translation>
    </message>
    <message>
        <source>%1:%2 has a name that no file here can have</source>
        <translation>%1:%2 的名称无法用作此处的文件名</translation>
    </message>
    <message>
        <source>the headers of %1</source>
        <translation>%1 的文件头</translation>
    </message>
    <message>
        <source>%1/%2 became shorter while it was read</source>
        <translation>%1/%2 在读取过程中变短了</translation>
    </message>
    <message>
        <source>it answers</source>
        <translation>有响应</translation>
    </message>
    <message>
        <source>the run is on the processor</source>
        <translation>此运行在 CPU 上</translation>
    </message>
    <message>
        <source>%1 has no NVIDIA driver%2</source>
        <translation>%1 没有 NVIDIA 驱动程序%2</translation>
    </message>
    <message>
        <source>%1 has no NVIDIA driver: %2</source>
        <translation>%1 没有 NVIDIA 驱动程序：%2</translation>
    </message>
    <message>
        <source>install one of series 580 or newer, or run on the processor</source>
        <translation>请安装 580 系列或更新的驱动程序，或在 CPU 上运行</translation>
    </message>
    <message>
        <source>the driver %1 of %2 knows CUDA up to %3, the engine needs %4</source>
        <translation>%2 的驱动程序 %1 最高支持 CUDA %3，引擎需要 %4</translation>
    </message>
    <message>
        <source>install a driver of series %1 or newer</source>
        <translation>请安装 %1 系列或更新的驱动程序</translation>
    </message>
    <message>
        <source>GPU %1 is in use by %2 (pid %3, %4, %5, for %6)</source>
        <translation>GPU %1 正被 %2 使用（pid %3，%4，%5，已 %6）</translation>
    </message>
    <message>
        <source>GPU %1 is in use by %2 (pid %3, %4, %5)</source>
        <translation>GPU %1 正被 %2 使用（pid %3，%4，%5）</translation>
    </message>
    <message>
        <source>; GPU %1 is in use by %2 (pid %3, %4, %5, for %6)</source>
        <translation>；GPU %1 正被 %2 使用（pid %3，%4，%5，已 %6）</translation>
    </message>
    <message>
        <source>; GPU %1 is in use by %2 (pid %3, %4, %5)</source>
        <translation>；GPU %1 正被 %2 使用（pid %3，%4，%5）</translation>
    </message>
    <message>
        <source>%1 has %2 GPU for %3 ranks</source>
        <translation>%1 有 %2 个 GPU，却有 %3 个 rank</translation>
    </message>
    <message>
        <source>%1 has %2 GPUs for %3 ranks</source>
        <translation>%1 有 %2 个 GPU，却有 %3 个 rank</translation>
    </message>
    <message>
        <source>give it fewer ranks</source>
        <translation>请为其分配更少的 rank</translation>
    </message>
    <message>
        <source>%1 of %2 GPUs of %3 are free: %4</source>
        <translation>%3 的 %2 个 GPU 中有 %1 个空闲：%4</translation>
    </message>
    <message>
        <source>the queue waits for runs of Trainyard, for other programs it does not</source>
        <translation>队列会等待 Trainyard 的运行，但不等待其他程序</translation>
    </message>
    <message>
        <source>queue the run, end the program, or give the host fewer ranks</source>
        <translation>请将运行排队、结束该程序，或为该主机分配更少的 rank</translation>
    </message>
    <message>
        <source>the memory of its GPUs is not known</source>
        <translation>其 GPU 的显存未知</translation>
    </message>
    <message>
        <source>a rank needs about %1, a GPU of %2 has %3</source>
        <translation>每个 rank 约需 %1，%2 的 GPU 有 %3</translation>
    </message>
    <message>
        <source>take a smaller micro-batch with more accumulation</source>
        <translation>请减小 micro-batch 并增加累积</translation>
    </message>
    <message>
        <source>looking for the engine</source>
        <translation>正在查找引擎</translation>
    </message>
    <message>
        <source>The engine that was copied to %1 stays there for the next start (%2).</source>
        <translation>已复制到 %1 的引擎会留在那里，供下次启动使用（%2）。</translation>
    </message>
    <message>
        <source>it is there</source>
        <translation>已存在</translation>
    </message>
    <message>
        <source>%1 copied</source>
        <translation>已复制 %1</translation>
    </message>
    <message>
        <source>Parts of the engine may be left in the cache folder of %1 (%2).</source>
        <translation>引擎的部分文件可能留在 %1 的缓存文件夹中（%2）。</translation>
    </message>
    <message>
        <source>The checkpoint that was copied to %1 stays there for the next start (%2).</source>
        <translation>已复制到 %1 的 checkpoint 会留在那里，供下次启动使用（%2）。</translation>
    </message>
    <message>
        <source>Trainyard %1</source>
        <translation>Trainyard %1</translation>
    </message>
    <message>
        <source>no Python script</source>
        <translation>没有 Python 脚本</translation>
    </message>
    <message>
        <source>the clock of %1 is %2 s ahead of this machine's: times in its logs and events are off by so much</source>
        <translation>%1 的时钟比本机快 %2 s：其日志和事件中的时间有相应偏差</translation>
    </message>
    <message>
        <source>the clock of %1 is %2 s behind this machine's: times in its logs and events are off by so much</source>
        <translation>%1 的时钟比本机慢 %2 s：其日志和事件中的时间有相应偏差</translation>
    </message>
    <message>
        <source>within %1 s</source>
        <translation>误差不超过 %1 s</translation>
    </message>
    <message>
        <source>set it by a time server (timedatectl set-ntp true)</source>
        <translation>请用时间服务器校准（timedatectl set-ntp true）</translation>
    </message>
    <message>
        <source>open the ports between the hosts, or run without one of them</source>
        <translation>请开放主机之间的端口，或不使用其中一台主机运行</translation>
    </message>
    <message>
        <source>%1 reached %2 at %3, which is not one of its addresses</source>
        <translation>%1 在 %3 处连接到了 %2，但这不是后者的地址</translation>
    </message>
    <message>
        <source>look for address translation (NAT) between the hosts</source>
        <translation>请检查主机之间是否有地址转换（NAT）</translation>
    </message>
    <message>
        <source>%1 is reached at different addresses (%2)</source>
        <translation>访问 %1 所用的地址不一致（%2）</translation>
    </message>
    <message>
        <source>name the one that all reach</source>
        <translation>请指定所有主机都能访问的地址</translation>
    </message>
    <message>
        <source>one host</source>
        <translation>只有一台主机</translation>
    </message>
    <message>
        <source>waits until every host has been reached</source>
        <translation>等待所有主机都连接上</translation>
    </message>
    <message>
        <source>the answer of %1</source>
        <translation>%1 的响应</translation>
    </message>
    <message>
        <source>%1 was asked to start the run %2 and answered with another one, in %3: the host does not run this version of Trainyard, or is not to be trusted</source>
        <translation>已要求 %1 启动运行 %2，但它返回了另一个运行，位于 %3：该主机运行的不是此版本的 Trainyard，或不可信任</translation>
    </message>
    <message>
        <source>the name of the recipe</source>
        <translation>配方的名称</translation>
    </message>
    <message>
        <source>%1 was lost while it was told to start (%2): look for the run there with `trainyard runs attach %3`.</source>
        <translation>%1 在收到启动指令时失联（%2）：请用 `trainyard runs attach %3` 在那里查找此运行。</translation>
    </message>
    <message>
        <source>%1 could not start the run: %2</source>
        <translation>%1 无法启动此运行：%2</translation>
    </message>
    <message>
        <source>could not start its ranks: %1</source>
        <translation>无法启动其 rank：%1</translation>
    </message>
    <message>
        <source>%1 could not be cleaned up (%2): its ranks end by themselves, the folder of %3 may be left.</source>
        <translation>无法清理 %1（%2）：其 rank 会自行结束，%3 的文件夹可能会留下。</translation>
    </message>
    <message>
        <source>the launch was cancelled: nothing was started</source>
        <translation>启动已取消：未启动任何进程</translation>
    </message>
    <message>
        <source>waits for what failed before it</source>
        <translation>等待之前失败的项目</translation>
    </message>
    <message>
        <source>the other end does not speak as `trainyard serve-run` does</source>
        <translation>对方的协议与 `trainyard serve-run` 不符</translation>
    </message>
    <message>
        <source>what the mirror has</source>
        <translation>副本已有的内容</translation>
    </message>
    <message>
        <source>a request of the mirror</source>
        <translation>副本的请求</translation>
    </message>
    <message>
        <source>the run's folder %1 is gone from %2</source>
        <translation>%2 上的运行文件夹 %1 已不存在</translation>
    </message>
    <message>
        <source>%1 on %2 is not a run's folder any more</source>
        <translation>%2 上的 %1 已不再是运行文件夹</translation>
    </message>
    <message>
        <source>what came on standard input are no secrets</source>
        <translation>标准输入传来的不是机密数据</translation>
    </message>
    <message>
        <source>%1: more than %2 jump hosts are on the way: does a ProxyJump of ssh_config lead back to itself?</source>
        <translation>%1：途中的跳板机超过 %2 台：ssh_config 中的某个 ProxyJump 是否指回了自身？</translation>
    </message>
    <message>
        <source>ended by signal %1</source>
        <translation>因信号 %1 终止</translation>
    </message>
    <message>
        <source>ended without an exit status</source>
        <translation>已结束，没有退出状态</translation>
    </message>
    <message>
        <source>exit status %1</source>
        <translation>退出状态 %1</translation>
    </message>
    <message>
        <source>jump from %1 to %2 port %3</source>
        <translation>从 %1 跳转到 %2 端口 %3</translation>
    </message>
    <message>
        <source>no command can be run: %1</source>
        <translation>无法运行任何命令：%1</translation>
    </message>
    <message>
        <source>%1: the account '%2' can log in, but its restricted shell lets no commands run: it needs a login shell, without a forced command</source>
        <translation>%1：账户 '%2' 可以登录，但其受限 shell 不允许运行命令：它需要登录 shell，且不能有强制命令</translation>
    </message>
    <message>
        <source>%1: the account '%2' can log in, but its restricted shell lets no commands run: "%3": it needs a login shell, without a forced command</source>
        <translation>%1：账户 '%2' 可以登录，但其受限 shell 不允许运行命令："%3"：它需要登录 shell，且不能有强制命令</translation>
    </message>
    <message>
        <source>%1: the account '%2' can log in, but runs no commands (%3): it needs a login shell, without a forced command</source>
        <translation>%1：账户 '%2' 可以登录，但不运行命令（%3）：它需要登录 shell，且不能有强制命令</translation>
    </message>
    <message>
        <source>%1: the account '%2' can log in, but runs no commands (%3): "%4": it needs a login shell, without a forced command</source>
        <translation>%1：账户 '%2' 可以登录，但不运行命令（%3）："%4"：它需要登录 shell，且不能有强制命令</translation>
    </message>
    <message>
        <source>%1: start-up files of the login shell print text ("%2") before commands run, which garbles what programs say to each other: let ~/.bashrc (or what prints it) do so in interactive shells only</source>
        <translation>%1：登录 shell 的启动文件在命令运行前输出了文本（"%2"），干扰了程序之间的通信：请让 ~/.bashrc（或输出该文本的程序）仅在交互式 shell 中输出</translation>
    </message>
    <message>
        <source>login shell: %1</source>
        <translation>登录 shell：%1</translation>
    </message>
    <message>
        <source>login shell: %1 (not a POSIX shell: commands go through /bin/sh)</source>
        <translation>登录 shell：%1（不是 POSIX shell：命令通过 /bin/sh 运行）</translation>
    </message>
    <message>
        <source>%1: the transfer was cancelled</source>
        <translation>%1：传输已取消</translation>
    </message>
    <message>
        <source>cannot look at %1: %2</source>
        <translation>无法查看 %1：%2</translation>
    </message>
    <message>
        <source>cannot rename %1 to</source>
        <translation>无法将 %1 重命名为</translation>
    </message>
    <message>
        <source>cannot write</source>
        <translation>无法写入</translation>
    </message>
    <message>
        <source>cannot set the permissions of</source>
        <translation>无法设置权限：</translation>
    </message>
    <message>
        <source>no space</source>
        <translation>空间不足</translation>
    </message>
    <message>
        <source>%1: %2 became shorter while it was read</source>
        <translation>%1：%2 在读取时变短了</translation>
    </message>
    <message>
        <source>cannot read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>cannot look at</source>
        <translation>无法查看</translation>
    </message>
    <message>
        <source>%1: %2 is too large to be read whole</source>
        <translation>%1：%2 过大，无法完整读取</translation>
    </message>
    <message>
        <source>cannot read the folder</source>
        <translation>无法读取文件夹</translation>
    </message>
    <message>
        <source>the list of %1:%2</source>
        <translation>%1:%2 的列表</translation>
    </message>
    <message>
        <source>%1: the SFTP server lists nothing, again and again</source>
        <translation>%1：SFTP 服务器反复返回空列表</translation>
    </message>
    <message>
        <source>cannot make the folder</source>
        <translation>无法创建文件夹</translation>
    </message>
    <message>
        <source>cannot remove</source>
        <translation>无法删除</translation>
    </message>
    <message>
        <source>cannot remove the folder</source>
        <translation>无法删除文件夹</translation>
    </message>
    <message>
        <source>cannot find</source>
        <translation>找不到</translation>
    </message>
    <message>
        <source>the server sent an answer of another kind</source>
        <translation>服务器发送了其他类型的应答</translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation>未说明原因</translation>
    </message>
    <message>
        <source>%1: the SFTP server greets a second time</source>
        <translation>%1：SFTP 服务器再次发送了问候</translation>
    </message>
    <message>
        <source>%1: the SFTP server names too many extensions</source>
        <translation>%1：SFTP 服务器列出的扩展过多</translation>
    </message>
    <message>
        <source>%1: the SFTP server sent an answer that was not asked for</source>
        <translation>%1：SFTP 服务器发送了未被请求的应答</translation>
    </message>
    <message>
        <source>%1: the SFTP server did not answer for %2</source>
        <translation>%1：SFTP 服务器在 %2 内没有应答</translation>
    </message>
    <message>
        <source>%1: the host did not answer as an SFTP server: do start-up files of the login shell print text?</source>
        <translation>%1：主机没有以 SFTP 服务器的方式应答：登录 shell 的启动文件是否输出了文本？</translation>
    </message>
    <message>
        <source>%1: the SFTP server ended (%2): is sftp-server installed on the host?</source>
        <translation>%1：SFTP 服务器已结束（%2）：主机上安装了 sftp-server 吗？</translation>
    </message>
    <message>
        <source>%1no such file or folder</source>
        <translation>%1没有该文件或文件夹</translation>
    </message>
    <message>
        <source>%1'%2' may not do that there</source>
        <translation>%1'%2' 在那里没有权限</translation>
    </message>
    <message>
        <source>%1: %2 %3: no space left (needed %4, %5 free): make room, or choose another folder for this host</source>
        <translation>%1：%2 %3：已没有剩余空间（需要 %4，可用 %5）：请腾出空间，或为此主机选择其他文件夹</translation>
    </message>
    <message>
        <source>'%1' is not a valid host: %2</source>
        <translation>'%1' 不是有效的主机：%2</translation>
    </message>
    <message>
        <source>a host name is not empty, does not begin with a dash and has no blanks, slashes, quotes, control characters or characters that a shell interprets</source>
        <translation>主机名不能为空，不能以短横线开头，也不能含有空格、斜杠、引号、控制字符或会被 shell 解释的字符</translation>
    </message>
    <message>
        <source>a user name does not begin with a dash or end with a backslash and has no quotes, control characters or characters that a shell interprets</source>
        <translation>用户名不能以短横线开头或以反斜杠结尾，也不能含有引号、控制字符或会被 shell 解释的字符</translation>
    </message>
    <message>
        <source>nothing stands before the @</source>
        <translation>@ 之前没有内容</translation>
    </message>
    <message>
        <source>the ] is missing</source>
        <translation>缺少 ]</translation>
    </message>
    <message>
        <source>only :port may follow the ]</source>
        <translation>] 之后只能是 :port</translation>
    </message>
    <message>
        <source>the port is missing</source>
        <translation>缺少端口</translation>
    </message>
    <message>
        <source>a port is a number from 1 to 65535, not '%1'</source>
        <translation>端口须为 1 到 65535 的数字，而不是 '%1'</translation>
    </message>
    <message>
        <source>%1; Trainyard reads ssh_config by itself</source>
        <translation>%1；Trainyard 自行读取 ssh_config</translation>
    </message>
    <message>
        <source>%1: 'Match %2' is not followed: no command of ssh_config's is run to find out what holds</source>
        <translation>%1：未采用 'Match %2'：不会为判断条件而运行 ssh_config 中的命令</translation>
    </message>
    <message>
        <source>%1: 'Match %2' is not followed: its block is left out</source>
        <translation>%1：未采用 'Match %2'：其配置块被略过</translation>
    </message>
    <message>
        <source>'%1' is neither yes nor no</source>
        <translation>'%1' 既不是 yes 也不是 no</translation>
    </message>
    <message>
        <source>RequiredRSASize is a number of bits, not '%1'</source>
        <translation>RequiredRSASize 是位数，而不是 '%1'</translation>
    </message>
    <message>
        <source>AddressFamily is any, inet or inet6, not '%1'</source>
        <translation>AddressFamily 须为 any、inet 或 inet6，而不是 '%1'</translation>
    </message>
    <message>
        <source>ConnectTimeout is a number of seconds, not '%1'</source>
        <translation>ConnectTimeout 须为秒数，而不是 '%1'</translation>
    </message>
    <message>
        <source>an unknown host key is always asked about, a changed one never taken</source>
        <translation>遇到未知的 host key 总会询问，已更改的从不接受</translation>
    </message>
    <message>
        <source>the agent is never forwarded</source>
        <translation>从不转发代理</translation>
    </message>
    <message>
        <source>it is for terminals</source>
        <translation>它用于终端</translation>
    </message>
    <message>
        <source>names are looked up as they stand</source>
        <translation>名称按原样查询</translation>
    </message>
    <message>
        <source>%1: '%2 %3' is not followed: %4</source>
        <translation>%1：未采用 '%2 %3'：%4</translation>
    </message>
    <message>
        <source>%1: '%2' of ssh_config names the environment variable '%3', which is not set</source>
        <translation>%1：ssh_config 中的 '%2' 引用了未设置的环境变量 '%3'</translation>
    </message>
    <message>
        <source>%1: '%2' of ssh_config has '%%3', which means nothing here: write %% for %</source>
        <translation>%1：ssh_config 中的 '%2' 含有 '%%3'，它在此处没有意义：请用 %% 表示 %</translation>
    </message>
    <message>
        <source>%1: ssh_config has '%2' for it: %3</source>
        <translation>%1：ssh_config 为其指定了 '%2'：%3</translation>
    </message>
    <message>
        <source>%1: HostKeyAlias '%2' of ssh_config is not a name: %3</source>
        <translation>%1：ssh_config 的 HostKeyAlias '%2' 不是名称：%3</translation>
    </message>
    <message>
        <source>KnownHostsCommand is the absolute path of a program, with its arguments, not '%1'</source>
        <translation>KnownHostsCommand 是程序的绝对路径及其参数，而不是 '%1'</translation>
    </message>
    <message>
        <source>this ProxyCommand needs a shell, which is never started with names of hosts in it: use ProxyJump, or put the command into a script of its own</source>
        <translation>此 ProxyCommand 需要 shell，而从不以含有主机名的命令启动 shell：请使用 ProxyJump，或将该命令写入单独的脚本</translation>
    </message>
    <message>
        <source>this ProxyCommand has no program</source>
        <translation>此 ProxyCommand 中没有程序</translation>
    </message>
    <message>
        <source>a quote is never closed</source>
        <translation>引号没有闭合</translation>
    </message>
    <message>
        <source>a value is missing</source>
        <translation>缺少值</translation>
    </message>
    <message>
        <source>files are included more than 16 deep: does one include itself?</source>
        <translation>文件包含嵌套超过 16 层：是否有文件包含了自身？</translation>
    </message>
    <message>
        <source>%1: it is not there</source>
        <translation>%1：不存在</translation>
    </message>
    <message>
        <source>%1: there is no trace in it or in its folder traces</source>
        <translation>%1：其中及其 traces 文件夹中都没有 trace</translation>
    </message>
    <message>
        <source>the copy of the traces of %1</source>
        <translation>%1 的跟踪副本</translation>
    </message>
</context>
<context>
    <name>engine/accelerator</name>
    <message>
        <source>%1 is for modules whose gradients are whole on every rank: set zero_stage to 0; a model of the engine has its recipe's keys for it</source>
        <translation>%1 用于梯度在每个 rank 上都完整的模块：请将 zero_stage 设为 0；引擎的模型可使用其配方中的相应键</translation>
    </message>
    <message>
        <source>this model updates while backward runs, which a recipe's run drives: make the FlatModel without updates_in_backward, or train the recipe with trainyard launch</source>
        <translation>此模型在反向传播期间更新，只有配方的运行能驱动它：创建 FlatModel 时不要设 updates_in_backward，或用 trainyard launch 训练该配方</translation>
    </message>
    <message>
        <source>the model has the weights that %1 trains, and is to be evaluated at their average: call the prepared optimizer's eval() before the evaluation, and train() after it</source>
        <translation>模型中是 %1 正在训练的权重，而评估应使用它们的平均：评估前调用已准备的优化器的 eval()，之后调用 train()</translation>
    </message>
    <message>
        <source>activation checkpointing is asked of the accelerator, but this model has it from its recipe: set the recipe's training.activation_checkpointing, and fsdp_activation_checkpointing to false</source>
        <translation>要求 accelerator 启用激活检查点，但此模型由其配方设定：请设置配方的 training.activation_checkpointing，并将 fsdp_activation_checkpointing 设为 false</translation>
    </message>
    <message>
        <source>zero_stage is %1 for the accelerator and %2 in the model's recipe (parallel.zero_stage): give both the same</source>
        <translation>accelerator 的 zero_stage 为 %1，而模型配方中为 %2（parallel.zero_stage）：请使两者相同</translation>
    </message>
    <message>
        <source>the model computes in %1 (its recipe's training.mixed_precision), the accelerator in %2: give both the same mixed_precision</source>
        <translation>模型以 %1 计算（其配方的 training.mixed_precision），accelerator 以 %2 计算：请使两者的 mixed_precision 相同</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>a training on %1 ranks</source>
        <translation>在 %1 个 rank 上训练</translation>
    </message>
    <message>
        <source>%1 shares out the state of optimizers that update each element by itself: Adam, AdamW, SGD, RMSprop and Adagrad of torch::optim, and those of optim::make_optimizer but Muon, Adafactor, AdaLomo and AdamW8bit; this one is another: use one of these, or set zero_stage to 0</source>
        <translation>%1 只切分逐元素更新的优化器的状态：torch::optim 的 Adam、AdamW、SGD、RMSprop 和 Adagrad，以及 optim::make_optimizer 中除 Muon、Adafactor、AdaLomo 和 AdamW8bit 之外的优化器；此优化器不在其列：请使用上述优化器之一，或将 zero_stage 设为 0</translation>
    </message>
    <message>
        <source>%1 needs the model before its optimizer: call prepare(model) first</source>
        <translation>%1 要求模型先于其优化器：请先调用 prepare(model)</translation>
    </message>
    <message>
        <source>prepare_average: %1 optimizers are prepared: name the one whose steps the average follows</source>
        <translation>prepare_average：已准备 %1 个优化器：请指定平均应跟随哪一个的步</translation>
    </message>
    <message>
        <source>the health action rollback goes back to the newest checkpoint of project_dir/checkpoints: set project.automatic_checkpoint_naming, and call save_state every so often</source>
        <translation>健康处理方式 rollback 会回到 project_dir/checkpoints 中最新的 checkpoint：请设置 project.automatic_checkpoint_naming，并定期调用 save_state</translation>
    </message>
    <message>
        <source>these are the weights that %1 trains, and not their average, which is to be used: call the prepared optimizer's eval() before saving, and train() after it</source>
        <translation>这些是 %1 正在训练的权重，而不是应当使用的平均：保存前调用已准备的优化器的 eval()，之后调用 train()</translation>
    </message>
    <message>
        <source>%1: the gradient of %2 is not .grad of the parameter (a model of the engine, or zero_stage): call clip_grad_norm(model, max_norm)</source>
        <translation>%1：%2 的梯度不是参数的 .grad（引擎的模型，或使用了 zero_stage）：请调用 clip_grad_norm(model, max_norm)</translation>
    </message>
    <message>
        <source>data loader %1 reads a stream or dispatches its batches: even_batches does not change it</source>
        <translation>数据加载器 %1 读取流或分发其 batch：even_batches 对它不起作用</translation>
    </message>
    <message>
        <source>the pictures '%1' have %2 dimensions: give a batch of N x C x H x W</source>
        <translation>图片 '%1' 有 %2 个维度：请提供 N x C x H x W 的 batch</translation>
    </message>
    <message>
        <source>there are no trackers yet: call init_trackers first</source>
        <translation>还没有跟踪器：请先调用 init_trackers</translation>
    </message>
    <message>
        <source>automatic checkpoint naming needs a project_dir: the folder in which checkpoints/ is made</source>
        <translation>自动命名 checkpoint 需要 project_dir：即创建 checkpoints/ 的文件夹</translation>
    </message>
    <message>
        <source>project.save_on_each_node: the machines share the disk of %1, and would replace each other's checkpoint: set it to false, or give each machine a folder of its own</source>
        <translation>project.save_on_each_node：各机器共用 %1 所在的磁盘，会互相替换检查点：请设为 false，或给每台机器单独的文件夹</translation>
    </message>
    <message>
        <source>folders of nodes</source>
        <translation>各节点的文件夹</translation>
    </message>
    <message>
        <source>%1 is there already: load_state() goes on from it, or set project.iteration to the next number</source>
        <translation>%1 已存在：可用 load_state() 从它继续，或将 project.iteration 设为下一个编号</translation>
    </message>
    <message>
        <source>save_state needs a folder, or automatic_checkpoint_naming</source>
        <translation>save_state 需要文件夹，或 automatic_checkpoint_naming</translation>
    </message>
    <message>
        <source>project.save_on_each_node: ranks share out the optimizer's state (zero_stage), which is put together on the first of them alone: set it to false</source>
        <translation>project.save_on_each_node：各 rank 切分了优化器状态（zero_stage），只在第一个 rank 上合并：请设为 false</translation>
    </message>
    <message>
        <source>the updates before it were not finite</source>
        <translation>此前的更新出现非有限值</translation>
    </message>
    <message>
        <source>%1 rank</source>
        <translation>%1 个 rank</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 个 rank</translation>
    </message>
    <message>
        <source>node of rank %1</source>
        <translation>rank %1 所在的节点</translation>
    </message>
    <message>
        <source>the checkpoint before this one, %1, could not be written: %2</source>
        <translation>上一个 checkpoint %1 无法写入：%2</translation>
    </message>
    <message>
        <source>load_state needs a folder, or automatic_checkpoint_naming</source>
        <translation>load_state 需要文件夹，或 automatic_checkpoint_naming</translation>
    </message>
    <message>
        <source>activation checkpointing is asked for, but the model names no block: give it blocks(), which returns the modules that it wrapped with wrap_block</source>
        <translation>要求启用激活检查点，但模型没有指明任何块：请为它添加 blocks()，返回用 wrap_block 包装的模块</translation>
    </message>
    <message>
        <source>activation checkpointing is asked for blocks of the class '%1', but the model's blocks are of %2: name one of these, or wrap those modules</source>
        <translation>要求对类 '%1' 的块启用激活检查点，但模型的块属于 %2：请指定其中之一，或包装那些模块</translation>
    </message>
    <message>
        <source>activation checkpointing acts on no block: none that is asked for has %1 parameters; lower min_parameters</source>
        <translation>激活检查点没有作用于任何块：所要求的块都不足 %1 个参数；请减小 min_parameters</translation>
    </message>
    <message>
        <source>parameter %1 is %2, and %3 shares out fp32 parameters alone: keep it in fp32, or set zero_stage to 0</source>
        <translation>参数 %1 为 %2，而 %3 只切分 fp32 参数：请保持为 fp32，或将 zero_stage 设为 0</translation>
    </message>
    <message>
        <source>parameter %1 is on %2, others on %3: %4 needs all on one device</source>
        <translation>参数 %1 位于 %2，其他参数位于 %3：%4 要求全部位于同一设备</translation>
    </message>
    <message>
        <source>static_graph: %1 sums gradients as they come, whatever the graph is: take static_graph away</source>
        <translation>static_graph：%1 按梯度产生的顺序求和，与计算图无关：请去掉 static_graph</translation>
    </message>
    <message>
        <source>comm_hook: a communication hook needs whole gradients, which no rank keeps under %1: set zero_stage to 1, or take the hook away</source>
        <translation>comm_hook：通信钩子需要完整的梯度，而在 %1 下没有 rank 保留完整梯度：请将 zero_stage 设为 1，或去掉该钩子</translation>
    </message>
    <message>
        <source>parameter %1 got a gradient outside of Accelerator::backward(): where ranks share out optimizer state (zero_stage), call accelerator.backward(loss) instead of loss.backward()</source>
        <translation>参数 %1 在 Accelerator::backward() 之外得到了梯度：各 rank 切分优化器状态时（zero_stage），请调用 accelerator.backward(loss) 而不是 loss.backward()</translation>
    </message>
    <message>
        <source>a second optimizer of the same model is prepared: where ranks share out optimizer state (zero_stage), give one optimizer all parameters of the model, in parameter groups</source>
        <translation>为同一模型准备了第二个优化器：各 rank 切分优化器状态时（zero_stage），请将模型的全部参数以参数组的形式交给一个优化器</translation>
    </message>
    <message>
        <source>gradient_accumulation_steps is %1: it must be 1 or more</source>
        <translation>gradient_accumulation_steps 为 %1：必须不小于 1</translation>
    </message>
    <message>
        <source>some backward calls of this update have a denominator, others have none: their gradients cannot be added up; give every one a denominator</source>
        <translation>此次更新中有些 backward 调用带分母，有些没有：它们的梯度无法相加；请为每次调用都给出分母</translation>
    </message>
    <message>
        <source>loss of the closure</source>
        <translation>闭包的损失</translation>
    </message>
    <message>
        <source>out of memory.</source>
        <translation>out of memory.</translation>
    </message>
    <message>
        <source>MPS backend out of memory</source>
        <translation>MPS backend out of memory</translation>
    </message>
    <message>
        <source>DefaultCPUAllocator: can't allocate memory</source>
        <translation>DefaultCPUAllocator: can't allocate memory</translation>
    </message>
    <message>
        <source>DefaultCPUAllocator: not enough memory</source>
        <translation>DefaultCPUAllocator: not enough memory</translation>
    </message>
    <message>
        <source>FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed</source>
        <translation>FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed</translation>
    </message>
    <message>
        <source>no batch size fits into memory, not even 1: use a smaller model, shorter samples or bf16, or accumulate gradients</source>
        <translation>内存放不下任何 batch 大小，即使是 1：请使用更小的模型、更短的样本或 bf16，或累积梯度</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>device %1: %2</source>
        <translation>设备 %1：%2</translation>
    </message>
    <message>
        <source>'%1' is no device: use numbers of accelerators, mps, cpu or disk</source>
        <translation>'%1' 不是设备：请使用加速器编号、mps、cpu 或 disk</translation>
    </message>
    <message>
        <source>there is no accelerator</source>
        <translation>没有加速器</translation>
    </message>
    <message>
        <source>there is only device 0</source>
        <translation>只有设备 0</translation>
    </message>
    <message>
        <source>device %1 has a memory limit but does not exist: there is no accelerator</source>
        <translation>设备 %1 设有内存上限但并不存在：没有加速器</translation>
    </message>
    <message>
        <source>device %1 has a memory limit but does not exist: there is only device 0</source>
        <translation>设备 %1 设有内存上限但并不存在：只有设备 0</translation>
    </message>
    <message>
        <source>device %1 has a memory limit but does not exist: there are devices 0 to %2</source>
        <translation>设备 %1 设有内存上限但并不存在：现有设备 0 到 %2</translation>
    </message>
    <message>
        <source>gather_for_metrics got %1 entries of %2 samples together for a last batch of %3 samples: give one entry per sample, or entries that are batches</source>
        <translation>gather_for_metrics 收到 %1 个条目，共 %2 个样本，而最后一个 batch 有 %3 个样本：请为每个样本提供一个条目，或提供作为 batch 的条目</translation>
    </message>
    <message>
        <source>gather_for_metrics got %1 entries for a last batch of %2 samples: give one entry per sample, or entries that are batches</source>
        <translation>gather_for_metrics 收到 %1 个条目，而最后一个 batch 有 %2 个样本：请为每个样本提供一个条目，或提供作为 batch 的条目</translation>
    </message>
    <message>
        <source>it must be a number, 0 or more, or auto</source>
        <translation>必须是不小于 0 的数或 auto</translation>
    </message>
    <message>
        <source>programs on this library do not read DeepSpeed's own file: give zero_stage, gradient_clipping and gradient_accumulation_steps in the settings file</source>
        <translation>基于此库的程序不读取 DeepSpeed 自己的文件：请在设置文件中给出 zero_stage、gradient_clipping 和 gradient_accumulation_steps</translation>
    </message>
    <message>
        <source>this library shares out optimizer state (1) and gradients (2), not parameters: set it to 0, 1 or 2</source>
        <translation>此库切分优化器状态（1）和梯度（2），不切分参数：请设为 0、1 或 2</translation>
    </message>
    <message>
        <source>this library keeps everything on the device it trains on: set it to none</source>
        <translation>此库将全部内容保存在训练所用的设备上：请设为 none</translation>
    </message>
    <message>
        <source>this library does not divide experts: leave it out</source>
        <translation>此库不切分专家：请去掉该项</translation>
    </message>
    <message>
        <source>this library does not shard parameters: set fsdp_version to 1 and fsdp_sharding_strategy to NO_SHARD, or use DEEPSPEED with zero_stage 1 or 2</source>
        <translation>此库不切分参数：请将 fsdp_version 设为 1、fsdp_sharding_strategy 设为 NO_SHARD，或使用 DEEPSPEED 并将 zero_stage 设为 1 或 2</translation>
    </message>
    <message>
        <source>this library keeps everything on the device it trains on: set it to false</source>
        <translation>此库将全部内容保存在训练所用的设备上：请设为 false</translation>
    </message>
    <message>
        <source>it must be TRANSFORMER_BASED_WRAP, SIZE_BASED_WRAP or NO_WRAP</source>
        <translation>必须是 TRANSFORMER_BASED_WRAP、SIZE_BASED_WRAP 或 NO_WRAP</translation>
    </message>
    <message>
        <source>this library trains a program's modules as replicas on all ranks: set it to 1</source>
        <translation>此库将程序的模块作为副本在所有 rank 上训练：请设为 1</translation>
    </message>
    <message>
        <source>%1 is '%2': it must be a whole number, %3 or more</source>
        <translation>%1 为 '%2'：必须是不小于 %3 的整数</translation>
    </message>
    <message>
        <source>distributed_type MEGATRON_LM: this library does not have Megatron-LM: launch with replicas on every rank (MULTI_GPU or MULTI_CPU)</source>
        <translation>distributed_type MEGATRON_LM：此库没有 Megatron-LM：请以每个 rank 一份副本的方式启动（MULTI_GPU 或 MULTI_CPU）</translation>
    </message>
    <message>
        <source>the optimizer updates parameters of several models, or of none that is prepared: where ranks share out optimizer state (zero_stage), give each prepared model an optimizer of its own</source>
        <translation>该优化器更新多个模型的参数，或其参数不属于任何已准备的模型：各 rank 切分优化器状态时（zero_stage），请为每个已准备的模型配备各自的优化器</translation>
    </message>
    <message>
        <source>optimizer state %1</source>
        <translation>优化器状态 %1</translation>
    </message>
    <message>
        <source>the optimizer's state: '%1' of parameter %2 has another shape than the parameter</source>
        <translation>优化器状态：参数 %2 的 '%1' 与该参数形状不同</translation>
    </message>
</context>
<context>
    <name>engine/base</name>
    <message>
        <source>line %1:%2: %3</source>
        <translation>第 %1:%2 行：%3</translation>
    </message>
    <message>
        <source>cannot write %1: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>std::terminate without an exception</source>
        <translation>没有异常的 std::terminate</translation>
    </message>
    <message>
        <source>unknown exception</source>
        <translation>未知异常</translation>
    </message>
    <message>
        <source>an exception of type %1</source>
        <translation>类型为 %1 的异常</translation>
    </message>
    <message>
        <source>the value</source>
        <translation>该值</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>缺少 %1</translation>
    </message>
    <message>
        <source>%1 is out of range</source>
        <translation>%1 超出范围</translation>
    </message>
    <message>
        <source>%1 is not a time</source>
        <translation>%1 不是时间</translation>
    </message>
    <message>
        <source>%1 is '%2', which this version does not know</source>
        <translation>%1 为 '%2'，此版本不认识</translation>
    </message>
    <message>
        <source>%1 is not a known key</source>
        <translation>%1 不是已知的键</translation>
    </message>
    <message>
        <source>%1 cannot be '%2'</source>
        <translation>%1 不能是 '%2'</translation>
    </message>
    <message>
        <source>%1 has %2 entries, more than the %3 allowed</source>
        <translation>%1 有 %2 个条目，超过允许的 %3 个</translation>
    </message>
    <message>
        <source>%1 has the wrong type</source>
        <translation>%1 的类型错误</translation>
    </message>
    <message>
        <source>%1 is %2: it was written by another program</source>
        <translation>%1 %2：由其他程序写入</translation>
    </message>
    <message>
        <source>%1 is not a JSON object: it was cut short or written by another program</source>
        <translation>%1 不是 JSON 对象：被截断，或由其他程序写入</translation>
    </message>
    <message>
        <source>%1 (%2 free): make room or choose another folder</source>
        <translation>%1（剩余 %2）：请腾出空间或选择其他文件夹</translation>
    </message>
    <message>
        <source>cannot read %1: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>cannot flush %1: %2</source>
        <translation>无法将 %1 写入磁盘：%2</translation>
    </message>
    <message>
        <source>cannot replace %1: %2</source>
        <translation>无法替换 %1：%2</translation>
    </message>
    <message>
        <source>cannot make the folder %1: %2</source>
        <translation>无法创建文件夹 %1：%2</translation>
    </message>
    <message>
        <source>%1 has %2 bytes instead of %3: it was cut while it was read</source>
        <translation>%1 有 %2 字节，而不是 %3：读取时被截断</translation>
    </message>
    <message>
        <source>cannot write %1: the disk is full (%2 needed, %3 free): make room or choose another folder</source>
        <translation>无法写入 %1：磁盘已满（需要 %2，可用 %3）：请腾出空间或选择其他文件夹</translation>
    </message>
    <message>
        <source>cannot %1 %2: %3</source>
        <translation>无法 %1 %2：%3</translation>
    </message>
    <message>
        <source>%1 is not a file</source>
        <translation>%1 不是文件</translation>
    </message>
    <message>
        <source>%1 cannot be read any more: the file was cut while it was used, or its disk fails; put it back and load it again</source>
        <translation>%1 已无法读取：文件在使用时被截断，或其磁盘有故障；请恢复文件并重新加载</translation>
    </message>
    <message>
        <source>%1 cannot be read any more: the file was cut</source>
        <translation>%1 已无法读取：文件被截断</translation>
    </message>
    <message>
        <source>cannot map %1: %2</source>
        <translation>无法映射 %1：%2</translation>
    </message>
    <message>
        <source>%1 cannot be read any more: the disk fails, or the file was cut</source>
        <translation>%1 已无法读取：磁盘有故障，或文件被截断</translation>
    </message>
    <message>
        <source>the folder %1 does not exist: make it, or name another one</source>
        <translation>文件夹 %1 不存在：请创建它，或指定另一个</translation>
    </message>
    <message>
        <source>%1 is no folder: name one</source>
        <translation>%1 不是文件夹：请指定一个文件夹</translation>
    </message>
    <message>
        <source>no file can be written in %1: %2; name another folder</source>
        <translation>无法在 %1 中写入文件：%2；请指定另一个文件夹</translation>
    </message>
    <message>
        <source>%1 in %2 is lost: the disk is full, or fails; make room, or name another folder, and resume from the last checkpoint</source>
        <translation>%2 中的%1已丢失：磁盘已满或出现故障；请腾出空间或指定另一个文件夹，并从最后一个 checkpoint 继续</translation>
    </message>
    <message>
        <source>the disk of %1 has no room for %2: it takes %3, %4 are free; make room, or name another folder</source>
        <translation>%1 所在的磁盘没有空间存放%2：需要 %3，可用 %4；请腾出空间，或指定另一个文件夹</translation>
    </message>
    <message>
        <source>cannot keep the tokens of the data in memory for %1: %2</source>
        <translation>无法将 %1 的数据 token 保存在内存中：%2</translation>
    </message>
    <message>
        <source>the tokens of %1 cannot be kept in memory: %2</source>
        <translation>%1 的 token 无法保存在内存中：%2</translation>
    </message>
    <message>
        <source>every rank holds the tokens of the data in its own memory, because they cannot be kept in a cache: %1 (set TRAINYARD_CACHE to a folder with room)</source>
        <translation>每个 rank 都在自己的内存中保存数据的 token，因为无法保存到缓存：%1（请将 TRAINYARD_CACHE 设为有空间的文件夹）</translation>
    </message>
    <message>
        <source>every rank holds the tokens of the data in its own memory, because they cannot be kept in %1: %2 (set TRAINYARD_CACHE to a folder with room)</source>
        <translation>每个 rank 都在自己的内存中保存数据的 token，因为无法保存到 %1：%2（请将 TRAINYARD_CACHE 设为有空间的文件夹）</translation>
    </message>
    <message>
        <source>neither TRAINYARD_CACHE, XDG_CACHE_HOME nor HOME is set</source>
        <translation>TRAINYARD_CACHE、XDG_CACHE_HOME 和 HOME 均未设置</translation>
    </message>
    <message>
        <source>what was written cannot be read again</source>
        <translation>写入的内容无法读回</translation>
    </message>
    <message>
        <source>it is cut off</source>
        <translation>文件被截断</translation>
    </message>
    <message>
        <source>it is not a token file of this version</source>
        <translation>不是此版本的 token 文件</translation>
    </message>
    <message>
        <source>its size is not the one it was written with</source>
        <translation>其大小与写入时不符</translation>
    </message>
    <message>
        <source>its content is not the one it was written with</source>
        <translation>其内容与写入时不符</translation>
    </message>
    <message>
        <source>%1 is not a whole torch.save archive</source>
        <translation>%1 不是完整的 torch.save 归档</translation>
    </message>
    <message>
        <source>%1: its entry '%2' is compressed, which torch.save never does</source>
        <translation>%1：条目 '%2' 经过压缩，而 torch.save 从不压缩</translation>
    </message>
    <message>
        <source>%1: its entries do not lie in one folder</source>
        <translation>%1：各条目不在同一个文件夹中</translation>
    </message>
    <message>
        <source>%1 is not a whole torch.save archive: it has no '%2'</source>
        <translation>%1 不是完整的 torch.save 归档：其中没有 '%2'</translation>
    </message>
    <message>
        <source>%1 is damaged: the checksum of its entry '%2' is wrong</source>
        <translation>%1 已损坏：条目 '%2' 的校验和错误</translation>
    </message>
    <message>
        <source>its directory is longer than its entries</source>
        <translation>其目录比条目更长</translation>
    </message>
    <message>
        <source>it is cut</source>
        <translation>文件被截断</translation>
    </message>
    <message>
        <source>the directory at its end is missing, so it is cut</source>
        <translation>末尾的目录缺失，说明文件被截断</translation>
    </message>
    <message>
        <source>it is one part of several</source>
        <translation>它是多个分卷之一</translation>
    </message>
    <message>
        <source>the 64-bit end of its directory is missing</source>
        <translation>其目录的 64 位结尾缺失</translation>
    </message>
    <message>
        <source>its directory lies outside the file</source>
        <translation>其目录位于文件之外</translation>
    </message>
    <message>
        <source>its directory claims more entries than it can hold</source>
        <translation>其目录声称的条目数超出其容量</translation>
    </message>
    <message>
        <source>its directory is damaged</source>
        <translation>其目录已损坏</translation>
    </message>
    <message>
        <source>its entry '%1' is encrypted</source>
        <translation>条目 '%1' 已加密</translation>
    </message>
    <message>
        <source>its entry '%1' is compressed in a way (method %2) that cannot be read</source>
        <translation>条目 '%1' 的压缩方式（方法 %2）无法读取</translation>
    </message>
    <message>
        <source>its entry '%1' has two sizes</source>
        <translation>条目 '%1' 有两个不同的大小</translation>
    </message>
    <message>
        <source>the name '%1' leaves the archive</source>
        <translation>名称 '%1' 指向归档之外</translation>
    </message>
    <message>
        <source>its entry '%1' is not where the directory says</source>
        <translation>条目 '%1' 不在目录所示的位置</translation>
    </message>
    <message>
        <source>its entry '%1' ends behind the file's data</source>
        <translation>条目 '%1' 的结尾超出文件的数据</translation>
    </message>
    <message>
        <source>its entry '%1' is another one in the directory than in its own place</source>
        <translation>条目 '%1' 在目录中与在其自身位置处不一致</translation>
    </message>
    <message>
        <source>its entries '%1' and '%2' overlap</source>
        <translation>条目 '%1' 和 '%2' 重叠</translation>
    </message>
    <message>
        <source>%1: the entry '%2' is there twice</source>
        <translation>%1：条目 '%2' 出现了两次</translation>
    </message>
    <message>
        <source>the text is %1</source>
        <translation>该文本%1</translation>
    </message>
    <message>
        <source>larger than 256 MiB</source>
        <translation>大于 256 MiB</translation>
    </message>
    <message>
        <source>nested deeper than 64 levels</source>
        <translation>嵌套超过 64 层</translation>
    </message>
    <message>
        <source>of more than 8 million values</source>
        <translation>包含超过 800 万个值</translation>
    </message>
    <message>
        <source>%1 is no port: give 1 to 65535, or 0 for a free one</source>
        <translation>%1 不是端口：请给出 1 到 65535，或 0 取空闲端口</translation>
    </message>
    <message>
        <source>the address '%1' is unknown: %2</source>
        <translation>未知的地址 '%1'：%2</translation>
    </message>
    <message>
        <source>port %1 of %2 is in use by another program: give another one, or 0 for a free one</source>
        <translation>%2 的端口 %1 已被其他程序占用：请给出其他端口，或 0 取空闲端口</translation>
    </message>
    <message>
        <source>cannot listen on %1:%2: %3</source>
        <translation>无法在 %1:%2 监听：%3</translation>
    </message>
    <message>
        <source>port %1 of this machine is in use by another launch: give another one, or 0 for a free one</source>
        <translation>本机的端口 %1 正被另一次启动使用：请指定其他端口，或用 0 选取空闲端口</translation>
    </message>
    <message>
        <source>'%1' is not a size of memory: write a number with a unit, such as 5GB or 500MiB</source>
        <translation>'%1' 不是内存大小：请写带单位的数字，例如 5GB 或 500MiB</translation>
    </message>
    <message>
        <source>'%1' is less than no memory: write a size of 0 or more</source>
        <translation>'%1' 小于零：请写 0 或更大的大小</translation>
    </message>
    <message>
        <source>'%1' is more memory than can be counted</source>
        <translation>'%1' 超出了可表示的内存大小</translation>
    </message>
    <message>
        <source>%1... (%2 more)</source>
        <translation>%1...（还有 %2）</translation>
    </message>
    <message>
        <source>cancelled: nothing was changed</source>
        <translation>已取消：未做任何更改</translation>
    </message>
    <message>
        <source>the regular expression '%1' cannot be used: %2 (at character %3)</source>
        <translation>正则表达式 '%1' 无法使用：%2（第 %3 个字符处）</translation>
    </message>
    <message>
        <source>the regular expression '%1' fails on a text of %2 bytes: %3</source>
        <translation>正则表达式 '%1' 在 %2 字节的文本上失败：%3</translation>
    </message>
    <message>
        <source>a named pipe</source>
        <translation>命名管道</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>套接字</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>a folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>something else</source>
        <translation>其他类型</translation>
    </message>
    <message>
        <source>cannot read %1: it is %2: put a file in its place</source>
        <translation>无法读取 %1：它是%2，请在该位置放置一个文件</translation>
    </message>
    <message>
        <source>cannot read %1: it is %2, more than the %3 allowed here</source>
        <translation>无法读取 %1：大小为 %2，超过此处允许的 %3</translation>
    </message>
    <message>
        <source>at least</source>
        <translation>至少</translation>
    </message>
    <message>
        <source>%1 does not exist: name the shared library (.so) that the plug-in's build made</source>
        <translation>%1 不存在：请指定构建插件时生成的共享库 (.so)</translation>
    </message>
    <message>
        <source>%1 cannot be read as a file: name the shared library (.so) that the plug-in's build made</source>
        <translation>%1 无法作为文件读取：请指定构建插件时生成的共享库 (.so)</translation>
    </message>
    <message>
        <source>%1 is not a shared library: name the .so file that the plug-in's build made</source>
        <translation>%1 不是共享库：请指定构建插件时生成的 .so 文件</translation>
    </message>
    <message>
        <source>%1 cannot be loaded (no reason given): build it against the LibTorch of this Trainyard</source>
        <translation>无法加载 %1（未给出原因）：请针对此 Trainyard 的 LibTorch 构建</translation>
    </message>
    <message>
        <source>%1 cannot be loaded (%2): build it against the LibTorch of this Trainyard</source>
        <translation>无法加载 %1（%2）：请针对此 Trainyard 的 LibTorch 构建</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>more than 100 years</source>
        <translation>超过 100 年</translation>
    </message>
    <message>
        <source>: did you mean '%1'?</source>
        <translation>：是否想写 '%1'？</translation>
    </message>
    <message>
        <source>: known are %1</source>
        <translation>：已知的有 %1</translation>
    </message>
    <message>
        <source>zero bytes begin at byte %1</source>
        <translation>从第 %1 个字节起是零字节</translation>
    </message>
    <message>
        <source>byte %1 (0x%2) is not valid UTF-8</source>
        <translation>第 %1 个字节（0x%2）不是有效的 UTF-8</translation>
    </message>
    <message>
        <source>zero bytes begin at byte %1: the file is damaged or is not text, so restore it or remove them</source>
        <translation>从第 %1 字节开始是零字节：文件已损坏或不是文本，请恢复文件或删除这些零字节</translation>
    </message>
    <message>
        <source>byte %1 (0x%2) is not valid UTF-8: save the file as UTF-8, Latin-1 text for example with iconv -f WINDOWS-1252 -t UTF-8</source>
        <translation>第 %1 字节（0x%2）不是有效的 UTF-8：请将文件保存为 UTF-8，例如用 iconv -f WINDOWS-1252 -t UTF-8 转换 Latin-1 文本</translation>
    </message>
    <message>
        <source>byte %1 (0x%2) of the argument is not valid UTF-8: give it in UTF-8, as a terminal with a UTF-8 locale does</source>
        <translation>参数的第 %1 个字节（0x%2）不是有效的 UTF-8：请以 UTF-8 给出，使用 UTF-8 区域设置的终端即是如此</translation>
    </message>
    <message>
        <source>the text is %1: save it as UTF-8, for example with iconv -f %1 -t UTF-8</source>
        <translation>文本是 %1：请保存为 UTF-8，例如用 iconv -f %1 -t UTF-8</translation>
    </message>
    <message>
        <source>%1: '%2' is not %3</source>
        <translation>%1：'%2' 不是%3</translation>
    </message>
    <message>
        <source>%1 is limited to %2 files and folders</source>
        <translation>%1最多允许 %2 个文件和文件夹</translation>
    </message>
    <message>
        <source>%1: listing its files took more than %2</source>
        <translation>%1：列出文件的时间超过 %2</translation>
    </message>
    <message>
        <source>%1 is limited to %2</source>
        <translation>%1最多允许 %2</translation>
    </message>
    <message>
        <source>%1 needs %2 more on the disk of %3: %4 are free there, and %5 of them stay free</source>
        <translation>%1在 %3 所在磁盘上还需要 %2：那里有 %4 可用空间，其中 %5 须保持空闲</translation>
    </message>
    <message>
        <source>the id of a run</source>
        <translation>运行的标识</translation>
    </message>
    <message>
        <source>an absolute path</source>
        <translation>绝对路径</translation>
    </message>
</context>
<context>
    <name>engine/checkpoint</name>
    <message>
        <source>cannot resume from %1: there is no such folder</source>
        <translation>无法从 %1 恢复：没有该文件夹</translation>
    </message>
    <message>
        <source>%1 has no state of the gradient scaler: it starts anew</source>
        <translation>%1 中没有梯度缩放器的状态：它将重新开始</translation>
    </message>
    <message>
        <source>cannot resume from %1: %2</source>
        <translation>无法从 %1 恢复：%2</translation>
    </message>
    <message>
        <source>%1 is missing (and %2, too)</source>
        <translation>缺少 %1（%2 也缺少）</translation>
    </message>
    <message>
        <source>%1 holds more models than the %2 of this program: the others are not loaded</source>
        <translation>%1 中的模型多于本程序的 %2 个：其余的不加载</translation>
    </message>
    <message>
        <source>%1 holds more than the %2 %3 of this program: the others are not loaded</source>
        <translation>%1 中的 %3 多于本程序的 %2 个：其余的不加载</translation>
    </message>
    <message>
        <source>%1 holds more than the %2 %3s of this program: the others are not loaded</source>
        <translation>%1 中的 %3 多于本程序的 %2 个：其余的不加载</translation>
    </message>
    <message>
        <source>data loader %1 was saved on %2 ranks and goes on, on %3, from the position of rank 0</source>
        <translation>数据加载器 %1 是在 %2 个 rank 上保存的，现在 %3 个 rank 上从 rank 0 的位置继续</translation>
    </message>
    <message>
        <source>%1 has no random states: the generators go on as they are</source>
        <translation>%1 中没有随机状态：随机数生成器按现状继续</translation>
    </message>
    <message>
        <source>rank %1 has no random state in %2, which is of %3 ranks: its generators begin with a seed derived from that of rank 0 and its own number</source>
        <translation>%2 中没有 rank %1 的随机状态（它来自 %3 个 rank）：其随机数生成器将以由 rank 0 的种子和自身编号导出的种子开始</translation>
    </message>
    <message>
        <source>it holds %1 custom objects, but %2 are registered</source>
        <translation>其中有 %1 个自定义对象，但注册了 %2 个</translation>
    </message>
    <message>
        <source>%1 is missing, so nothing tells whether its files are whole</source>
        <translation>缺少 %1，因此无法判断其文件是否完整</translation>
    </message>
    <message>
        <source>%1 was not written to its end</source>
        <translation>%1 没有写完</translation>
    </message>
    <message>
        <source>there is no whole checkpoint in it</source>
        <translation>其中没有完好的 checkpoint</translation>
    </message>
    <message>
        <source>%1 is passed over: %2 (and %3 more)</source>
        <translation>已跳过 %1：%2（另有 %3 个）</translation>
    </message>
    <message>
        <source>%1 is passed over: %2</source>
        <translation>已跳过 %1：%2</translation>
    </message>
    <message>
        <source>%1 has the experts of a block in two tensors, as transformers 5 computes with them, and optimizer state of these is not read: start from the weights alone with model.weights</source>
        <translation>%1 把一个块的专家存成两个张量（transformers 5 的计算形式），这种优化器状态无法读取：请用 model.weights 仅从权重开始</translation>
    </message>
    <message>
        <source>%1 has shape [%2] instead of [%3]</source>
        <translation>%1 的形状为 [%2]，而不是 [%3]</translation>
    </message>
    <message>
        <source>%1 is a weight of its own there, the recipe's model ties it to %2: set model.tie_word_embeddings to false</source>
        <translation>%1 在那里是独立的权重，而配方的模型将其与 %2 共享：请将 model.tie_word_embeddings 设为 false</translation>
    </message>
    <message>
        <source>%1 is no part of the recipe's model</source>
        <translation>%1 不属于配方的模型</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 项</translation>
    </message>
    <message>
        <source>the weights in %1 do not fit: %2</source>
        <translation>%1 中的权重不匹配：%2</translation>
    </message>
    <message>
        <source>tensor %1 has shape %2 instead of %3</source>
        <translation>张量 %1 的形状为 %2，而不是 %3</translation>
    </message>
    <message>
        <source>tensor %1 has only a part of its elements</source>
        <translation>张量 %1 只有部分元素</translation>
    </message>
    <message>
        <source>tensor %1 is missing</source>
        <translation>缺少张量 %1</translation>
    </message>
    <message>
        <source>%1 does not fit this model: %2</source>
        <translation>%1 与此模型不匹配：%2</translation>
    </message>
    <message>
        <source>%1 was marked as not good when it was saved: %2</source>
        <translation>%1 在保存时被标记为有问题：%2</translation>
    </message>
    <message>
        <source>training goes on from %1: the 1 step from there to %2 is lost</source>
        <translation>训练从 %1 继续：从那里到 %2 的 1 步已丢失</translation>
    </message>
    <message>
        <source>training goes on from %1: the %2 steps from there to %3 are lost</source>
        <translation>训练从 %1 继续：从那里到 %3 的 %2 步将丢失</translation>
    </message>
    <message>
        <source>cannot resume from %1: its manifest.json is missing, so nothing tells whether its files are whole: name the folder above it to go on from the newest whole checkpoint</source>
        <translation>无法从 %1 恢复：缺少其 manifest.json，因此无法判断其文件是否完整：请指定其上级文件夹，以从最新的完好 checkpoint 继续</translation>
    </message>
    <message>
        <source>cannot resume from %1: there is no whole checkpoint in it</source>
        <translation>无法从 %1 恢复：其中没有完好的 checkpoint</translation>
    </message>
    <message>
        <source>%1 names no file of the weights: resume from an earlier checkpoint</source>
        <translation>%1 没有列出权重文件：请从更早的 checkpoint 恢复</translation>
    </message>
    <message>
        <source>%1 names no file of the optimizer: resume from an earlier checkpoint</source>
        <translation>%1 没有列出优化器文件：请从更早的 checkpoint 恢复</translation>
    </message>
    <message>
        <source>%1: resume from an earlier checkpoint</source>
        <translation>%1：请从更早的 checkpoint 恢复</translation>
    </message>
    <message>
        <source>%1 has no position of a trainer (%2): this checkpoint was saved by another program</source>
        <translation>%1 中没有训练器的位置（%2）：此 checkpoint 由其他程序保存</translation>
    </message>
    <message>
        <source>'%1' is missing</source>
        <translation>缺少 '%1'</translation>
    </message>
    <message>
        <source>'%1' has shape %2 instead of %3</source>
        <translation>'%1' 的形状为 %2，而不是 %3</translation>
    </message>
    <message>
        <source>'%1' and '%2' are one tensor of this model, and differ in the file</source>
        <translation>“%1”和“%2”在此模型中是同一个张量，但在文件中不同</translation>
    </message>
    <message>
        <source>'%1' is no part of this model</source>
        <translation>'%1' 不属于此模型</translation>
    </message>
    <message>
        <source>%1 says wrongly which parts of tensors it holds (%2)</source>
        <translation>%1 对其所含张量部分的说明有误（%2）</translation>
    </message>
    <message>
        <source>%1 has other dimensions than its tensor</source>
        <translation>%1 的维度与其张量不同</translation>
    </message>
    <message>
        <source>%1 reaches out of its tensor</source>
        <translation>%1 超出了其张量的范围</translation>
    </message>
    <message>
        <source>%1 holds a tensor of the unknown type %2</source>
        <translation>%1 含有未知类型 %2 的张量</translation>
    </message>
    <message>
        <source>%1 has %2 bytes instead of %3</source>
        <translation>%1 为 %2 字节，而不是 %3</translation>
    </message>
    <message>
        <source>%1 is damaged (%2): resume from an earlier checkpoint</source>
        <translation>%1 已损坏（%2）：请从更早的 checkpoint 恢复</translation>
    </message>
    <message>
        <source>in its header</source>
        <translation>位于文件头</translation>
    </message>
    <message>
        <source>in tensor %1</source>
        <translation>位于张量 %1</translation>
    </message>
    <message>
        <source>in tensors %1 and %2 more</source>
        <translation>位于张量 %1 及另外 %2 个</translation>
    </message>
    <message>
        <source>in tensors %1</source>
        <translation>位于张量 %1</translation>
    </message>
    <message>
        <source>it names the file '%1'</source>
        <translation>其中列出了文件 '%1'</translation>
    </message>
    <message>
        <source>it has no checksum of %1</source>
        <translation>其中没有 %1 的校验和</translation>
    </message>
    <message>
        <source>%1 is damaged (its checksum differs)</source>
        <translation>%1 已损坏（校验和不符）</translation>
    </message>
    <message>
        <source>%1 shares its memory with a weight that is saved, and is not written again: tie the weights after loading</source>
        <translation>%1 与某个已保存的权重共用内存，不再重复写入：请在加载后将权重设为共享</translation>
    </message>
    <message>
        <source>%1 share their memory with a weight that is saved, and are not written again: tie the weights after loading</source>
        <translation>%1 与某个已保存的权重共用内存，不再重复写入：请在加载后将权重设为共享</translation>
    </message>
    <message>
        <source>'%1' has no data: load or initialise the model before saving it</source>
        <translation>'%1' 没有数据：请在保存前加载或初始化模型</translation>
    </message>
    <message>
        <source>cannot save in %1: it is a file</source>
        <translation>无法保存到 %1：它是文件</translation>
    </message>
    <message>
        <source>cannot save in %1: %2</source>
        <translation>无法保存到 %1：%2</translation>
    </message>
    <message>
        <source>%1 is no state of an optimizer: it lacks "state" or "param_groups"</source>
        <translation>%1 不是优化器的状态：缺少 "state" 或 "param_groups"</translation>
    </message>
    <message>
        <source>%1 lacks the names of its parameters: it was not saved by the trainer</source>
        <translation>%1 中缺少参数名称：它不是由训练器保存的</translation>
    </message>
    <message>
        <source>%1: '%2' does not lie in one piece</source>
        <translation>%1：'%2' 不是连续存放的</translation>
    </message>
    <message>
        <source>the random state has no torch_manual_seed</source>
        <translation>随机状态中没有 torch_manual_seed</translation>
    </message>
    <message>
        <source>the random state is of another version of torch: it has %1 bytes where this one's has %2</source>
        <translation>随机状态来自其他版本的 torch：它为 %1 字节，而此版本为 %2</translation>
    </message>
    <message>
        <source>Adafactor of transformers</source>
        <translation>transformers 的 Adafactor</translation>
    </message>
    <message>
        <source>a schedule-free optimizer</source>
        <translation>schedule-free 优化器</translation>
    </message>
    <message>
        <source>an 8-bit optimizer of bitsandbytes</source>
        <translation>bitsandbytes 的 8 位优化器</translation>
    </message>
    <message>
        <source>is no state of an optimizer of torch: it lacks "state" or "param_groups"</source>
        <translation>不是 torch 优化器的状态：缺少 "state" 或 "param_groups"</translation>
    </message>
    <message>
        <source>has no group of parameters</source>
        <translation>没有参数组</translation>
    </message>
    <message>
        <source>is the state of one optimizer, the recipe has several (optimizer.groups): start from the folder's weights (model.weights)</source>
        <translation>是单个优化器的状态，而配方有多个（optimizer.groups）：请从该文件夹的权重开始（model.weights）</translation>
    </message>
    <message>
        <source>is the state of %1, the trainer has %2: set optimizer.name to that one where recipes have it, or start from the folder's weights (model.weights) to train on with %3</source>
        <translation>是 %1 的状态，而训练器使用 %2：若配方支持前者，请将 optimizer.name 设为它；或从该文件夹的权重开始（model.weights），用 %3 继续训练</translation>
    </message>
    <message>
        <source>an optimizer whose groups have the settings %1</source>
        <translation>参数组含有设置 %1 的优化器</translation>
    </message>
    <message>
        <source>%1 with amsgrad</source>
        <translation>带 amsgrad 的 %1</translation>
    </message>
    <message>
        <source>%1 without amsgrad</source>
        <translation>不带 amsgrad 的 %1</translation>
    </message>
    <message>
        <source>AdamW without the correction of the moments' bias</source>
        <translation>不做矩偏差校正的 AdamW</translation>
    </message>
    <message>
        <source>AdamW with weight_decay %1 beside the gradients</source>
        <translation>weight_decay %1 独立于梯度的 AdamW</translation>
    </message>
    <message>
        <source>Adam with weight_decay %1 added to the gradients</source>
        <translation>weight_decay %1 加到梯度上的 Adam</translation>
    </message>
    <message>
        <source>has a group without "params"</source>
        <translation>有一个组没有 "params"</translation>
    </message>
    <message>
        <source>an optimizer that maximizes</source>
        <translation>做最大化的优化器</translation>
    </message>
    <message>
        <source>was saved after the eval() of %1: the weights beside it are the average, from which training cannot continue. Save it again after train(), or start from the folder's weights (model.weights)</source>
        <translation>是在 %1 的 eval() 之后保存的：旁边的权重是平均，训练不能从它继续。请在 train() 之后重新保存，或从该文件夹的权重开始（model.weights）</translation>
    </message>
    <message>
        <source>has a group whose %1</source>
        <translation>有一个组不正确：%1</translation>
    </message>
    <message>
        <source>counts its parameters by something else than whole numbers</source>
        <translation>的参数编号不是整数</translation>
    </message>
    <message>
        <source>has a group with other numbers of "params" and of "param_names"</source>
        <translation>有一个组的 "params" 与 "param_names" 数量不同</translation>
    </message>
    <message>
        <source>moments of shape [%1]</source>
        <translation>形状为 [%1] 的矩</translation>
    </message>
    <message>
        <source>other moments</source>
        <translation>其他矩</translation>
    </message>
    <message>
        <source>has %1 parameters, the recipe's model has %2 and trains %3 of them</source>
        <translation>有 %1 个参数，而配方的模型有 %2 个并训练其中 %3 个</translation>
    </message>
    <message>
        <source>has %1 parameters, the recipe's model has %2</source>
        <translation>有 %1 个参数，配方的模型有 %2 个</translation>
    </message>
    <message>
        <source>has a parameter '%1', which the recipe's model lacks</source>
        <translation>有参数 '%1'，而配方的模型没有</translation>
    </message>
    <message>
        <source>has %1 of %2, the recipe's model needs [%3]</source>
        <translation>中 %2 对应 %1，配方的模型需要 [%3]</translation>
    </message>
    <message>
        <source>has the parameter %1 twice</source>
        <translation>中参数 %1 出现了两次</translation>
    </message>
    <message>
        <source>parameters at that place</source>
        <translation>该位置的参数</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>does not fit the recipe's model: none of its parameters at that place has moments of shape [%1] for %2</source>
        <translation>与配方的模型不匹配：该位置的参数都没有用于 %2、形状为 [%1] 的矩</translation>
    </message>
    <message>
        <source>does not fit the recipe's model: none of its groups has moments of shape [%1] for %2</source>
        <translation>与配方的模型不匹配：其各组都没有用于 %2、形状为 [%1] 的矩</translation>
    </message>
    <message>
        <source>leaves open which parameters its %1 groups are of: it holds no names, and the shapes fit in several ways. Save it from an optimizer that was made of named parameters (torch 2.6 or newer), or start from the folder's weights (model.weights)</source>
        <translation>无法确定其 %1 个组对应哪些参数：其中没有名称，而形状有多种匹配方式。请从以命名参数创建的优化器保存（torch 2.6 或更新版本），或从该文件夹的权重开始（model.weights）</translation>
    </message>
    <message>
        <source>has no %1 of %2: it is the state of another optimizer than %3</source>
        <translation>中没有 %2 的 %1：它是 %3 以外的优化器的状态</translation>
    </message>
    <message>
        <source>has a %1 of %2 that is no number</source>
        <translation>中 %2 的 %1 不是数值</translation>
    </message>
    <message>
        <source>has a %1 of another shape than %2 needs</source>
        <translation>中 %1 的形状与 %2 所需的不同</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>%1 is %2 as the recipe says, not %3</source>
        <translation>%1 按配方为 %2，而不是 %3</translation>
    </message>
    <message>
        <source>the weight decay of %1 is %2 as the recipe says, not %3</source>
        <translation>%1 的权重衰减按配方为 %2，而不是 %3</translation>
    </message>
    <message>
        <source>the weight decay of %1 (and %2 more) is %3 as the recipe says, not %4</source>
        <translation>%1（及另外 %2 个）的权重衰减按配方为 %3，而不是 %4</translation>
    </message>
    <message>
        <source>%1 in %2 holds NaN</source>
        <translation>%2 中的 %1 含有 NaN</translation>
    </message>
    <message>
        <source>%1 in %2 holds infinite numbers</source>
        <translation>%2 中的 %1 含有无穷大的数</translation>
    </message>
    <message>
        <source>%1 was written a second time: %2</source>
        <translation>%1 被写入了第二次：%2</translation>
    </message>
    <message>
        <source>%1 (a second attempt as well)</source>
        <translation>%1（第二次尝试也如此）</translation>
    </message>
    <message>
        <source>'%1' is no name for a file of a checkpoint</source>
        <translation>'%1' 不能作为 checkpoint 文件的名称</translation>
    </message>
    <message>
        <source>the file %1 is to be saved twice</source>
        <translation>文件 %1 将被保存两次</translation>
    </message>
    <message>
        <source>begin of a save</source>
        <translation>保存的开始</translation>
    </message>
    <message>
        <source>rank 0 cannot begin to save %1</source>
        <translation>rank 0 无法开始保存 %1</translation>
    </message>
    <message>
        <source>copies of a save</source>
        <translation>保存用的副本</translation>
    </message>
    <message>
        <source>another rank cannot begin to save %1</source>
        <translation>另一个 rank 无法开始保存 %1</translation>
    </message>
    <message>
        <source>rank %1 has not written its part of %2 within %3 s</source>
        <translation>rank %1 在 %3 s 内没有写完 %2 中自己的部分</translation>
    </message>
    <message>
        <source>rank 0 gave up to save %1</source>
        <translation>rank 0 放弃了保存 %1</translation>
    </message>
    <message>
        <source>rank 0 has not finished %1 within %2 s</source>
        <translation>rank 0 在 %2 s 内没有完成 %1</translation>
    </message>
    <message>
        <source>files of a checkpoint</source>
        <translation>checkpoint 的文件</translation>
    </message>
    <message>
        <source>cannot save in the background: there are no %1 of memory for the copy (%2): save without checkpoint.async, or with less in memory</source>
        <translation>无法后台保存：没有 %1 内存用于副本（%2）：请不使用 checkpoint.async 保存，或减少内存占用</translation>
    </message>
    <message>
        <source>cannot save %1: it is no dense tensor with data</source>
        <translation>无法保存 %1：它不是含有数据的稠密张量</translation>
    </message>
    <message>
        <source>%1 holds more than %2 files besides the checkpoint: name another folder</source>
        <translation>除 checkpoint 外，%1 中还有超过 %2 个文件：请指定其他文件夹</translation>
    </message>
    <message>
        <source>cannot save in %1: it is no folder</source>
        <translation>无法保存到 %1：它不是文件夹</translation>
    </message>
    <message>
        <source>the folder that rank 0 has made for %1 does not exist here: save to a folder that all ranks see (or, where each machine has a disk of its own, set project.save_on_each_node of the Accelerator)</source>
        <translation>rank 0 为 %1 创建的文件夹在此处不存在：请保存到所有 rank 都能看到的文件夹（若每台机器有自己的磁盘，请设置 Accelerator 的 project.save_on_each_node）</translation>
    </message>
    <message>
        <source>rank %1 died while %2 was being saved</source>
        <translation>rank %1 在保存 %2 期间意外终止</translation>
    </message>
    <message>
        <source>%1 is damaged: %2</source>
        <translation>%1 已损坏：%2</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>rank %1：%2</translation>
    </message>
    <message>
        <source>two ranks wrote %1</source>
        <translation>两个 rank 都写入了 %1</translation>
    </message>
    <message>
        <source>cannot save %1: %2</source>
        <translation>无法保存 %1：%2</translation>
    </message>
    <message>
        <source>is nested more than %1 deep</source>
        <translation>嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>repeats its objects without end</source>
        <translation>无休止地重复其对象</translation>
    </message>
    <message>
        <source>holds a tensor of the unknown type %1</source>
        <translation>含有未知类型 %1 的张量</translation>
    </message>
    <message>
        <source>%1: '%2' is no dense tensor in the memory of the CPU</source>
        <translation>%1：'%2' 不是 CPU 内存中的稠密张量</translation>
    </message>
    <message>
        <source>%1: two tensors of different types share memory in a way that no file can hold</source>
        <translation>%1：两个不同类型的张量以文件无法表示的方式共用内存</translation>
    </message>
    <message>
        <source>%1 has elements of type %2, which torch does not know</source>
        <translation>%1 的元素类型为 %2，而 torch 不支持该类型</translation>
    </message>
    <message>
        <source>'%1' has elements of type %2, which safetensors files cannot hold: save with safe_serialization off</source>
        <translation>'%1' 的元素类型为 %2，safetensors 文件无法保存该类型：请关闭 safe_serialization 后保存</translation>
    </message>
</context>
<context>
    <name>engine/config</name>
    <message>
        <source>same effective batch with accumulation %1</source>
        <translation>有效 batch 不变，累积 %1</translation>
    </message>
    <message>
        <source>same effective batch with %1 per rank</source>
        <translation>有效 batch 不变，每个 rank %1</translation>
    </message>
    <message>
        <source>same effective batch with %1 per rank and accumulation %2</source>
        <translation>有效 batch 不变，每个 rank %1，累积 %2</translation>
    </message>
    <message>
        <source>the learning rate as it is</source>
        <translation>学习率不变</translation>
    </message>
    <message>
        <source>the learning rate in proportion</source>
        <translation>学习率按比例变化</translation>
    </message>
    <message>
        <source>the learning rate with the square root</source>
        <translation>学习率按平方根变化</translation>
    </message>
    <message>
        <source>nothing changes</source>
        <translation>没有变化</translation>
    </message>
    <message>
        <source>effective batch %1, %2</source>
        <translation>有效 batch %1，%2</translation>
    </message>
    <message>
        <source>distributed_type is missing: set it, e.g. to DATA_PARALLEL, or to NO for one device</source>
        <translation>缺少 distributed_type：请设置，例如 DATA_PARALLEL，单个设备用 NO</translation>
    </message>
    <message>
        <source>distributed_type is missing: set it, e.g. to MULTI_GPU, or to NO for one process</source>
        <translation>缺少 distributed_type：请设置，例如 MULTI_GPU，单个进程用 NO</translation>
    </message>
    <message>
        <source>ec2_instance_type is missing: set it, e.g. to ml.p3.2xlarge</source>
        <translation>缺少 ec2_instance_type：请设置，例如 ml.p3.2xlarge</translation>
    </message>
    <message>
        <source>iam_role_name is missing: set the role that SageMaker works with</source>
        <translation>缺少 iam_role_name：请设置 SageMaker 使用的角色</translation>
    </message>
    <message>
        <source>%1 holds %2, not keys: remove it or give it keys</source>
        <translation>%1 的内容是 %2，而不是键：请删除它或为其填写键</translation>
    </message>
    <message>
        <source>num_processes is not set: set it, or give --num_processes at each launch</source>
        <translation>未设置 num_processes：请设置它，或在每次启动时给出 --num_processes</translation>
    </message>
    <message>
        <source>%1 was read up to Accelerate %2: remove it</source>
        <translation>%1 只读到 Accelerate %2 为止：请删除</translation>
    </message>
    <message>
        <source>%1 is not a known key: it is written %2 today</source>
        <translation>%1 不是已知的键：现在写作 %2</translation>
    </message>
    <message>
        <source>%1 is not a known key: did you mean %2?</source>
        <translation>%1 不是已知的键：是否想写 %2？</translation>
    </message>
    <message>
        <source>%1 is not a known key: remove it</source>
        <translation>%1 不是已知的键：请删除</translation>
    </message>
    <message>
        <source>%1 is not a port: use 0 to 65535, 0 picks a free one</source>
        <translation>%1 不是端口：请用 0 到 65535，0 表示选择空闲端口</translation>
    </message>
    <message>
        <source>%1 is too small: use %2 or more</source>
        <translation>%1 太小：请用 %2 或更大</translation>
    </message>
    <message>
        <source>%1 is not allowed: use %2</source>
        <translation>不允许 %1：请用 %2</translation>
    </message>
    <message>
        <source>%1 is not allowed: use %2 to %3</source>
        <translation>不允许 %1：请用 %2 到 %3</translation>
    </message>
    <message>
        <source>%1 is not known: did you mean '%2'?</source>
        <translation>未知的 %1：是否想写 '%2'？</translation>
    </message>
    <message>
        <source>%1 is not known: use %2</source>
        <translation>未知的 %1：请用 %2</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>%1 is not a truth value: use true or false</source>
        <translation>%1 不是布尔值：请用 true 或 false</translation>
    </message>
    <message>
        <source>%1 is not a whole number or '%2': use one such as %3</source>
        <translation>%1 既不是整数也不是 '%2'：请使用如 %3 的值</translation>
    </message>
    <message>
        <source>%1 is not a whole number: use one such as %2</source>
        <translation>%1 不是整数：请使用如 %2 的值</translation>
    </message>
    <message>
        <source>%1 is not a number or '%2': use one such as 1.0</source>
        <translation>%1 既不是数字也不是 '%2'：请使用如 1.0 的值</translation>
    </message>
    <message>
        <source>%1 is not a number: use one such as 1.0</source>
        <translation>%1 不是数字：请使用如 1.0 的值</translation>
    </message>
    <message>
        <source>%1 is not a text: write it in one line, between quotes</source>
        <translation>%1 不是文本：请写在一行内并加引号</translation>
    </message>
    <message>
        <source>%1 is not one of %2</source>
        <translation>%1 不是 %2 之一</translation>
    </message>
    <message>
        <source>%1 is not a list of texts: write one per line, each after '- '</source>
        <translation>%1 不是文本列表：请每行写一个，前面加 '- '</translation>
    </message>
    <message>
        <source>%1 is not a list of three truth values: use one such as [false, false, true]</source>
        <translation>%1 不是三个布尔值的列表：请用例如 [false, false, true]</translation>
    </message>
    <message>
        <source>%1 is not a table of keys</source>
        <translation>%1 不是键的表</translation>
    </message>
    <message>
        <source>is missing: DeepSpeed needs this table, at least with a stage</source>
        <translation>缺失：DeepSpeed 需要此表，至少包含 stage</translation>
    </message>
    <message>
        <source>%1 has no place among Accelerate's keys and stays behind: keep the file as deepspeed_config_file if you need it</source>
        <translation>%1 在 Accelerate 的键中没有位置，未被采用：如有需要，请将该文件保留为 deepspeed_config_file</translation>
    </message>
    <message>
        <source>%1 is auto and was left out: the script decides</source>
        <translation>%1 为 auto，已略过：由脚本决定</translation>
    </message>
    <message>
        <source>%1 became %2</source>
        <translation>%1 变为 %2</translation>
    </message>
    <message>
        <source>fp16 and bf16 are both enabled: keep one</source>
        <translation>fp16 和 bf16 同时启用：请只保留一个</translation>
    </message>
    <message>
        <source>%1.enabled became mixed_precision: %2</source>
        <translation>%1.enabled 变为 mixed_precision：%2</translation>
    </message>
    <message>
        <source>holds no table of keys: a DeepSpeed file begins with {</source>
        <translation>不含键的表：DeepSpeed 文件以 { 开头</translation>
    </message>
    <message>
        <source>begins with a byte order mark, which JSON does not have: save it as UTF-8 without one</source>
        <translation>以字节顺序标记开头，JSON 不支持：请保存为不带它的 UTF-8</translation>
    </message>
    <message>
        <source>%1 is %2; the last one counts</source>
        <translation>%1 为 %2；以最后一个为准</translation>
    </message>
    <message>
        <source>%1 is a folder: name a file of settings</source>
        <translation>%1 是文件夹：请指定设置文件</translation>
    </message>
    <message>
        <source>%1 does not exist: name a file of settings, or make one with `trainyard config`</source>
        <translation>%1 不存在：请指定设置文件，或用 `trainyard config` 创建</translation>
    </message>
    <message>
        <source>%1 was dropped: %2</source>
        <translation>已去掉 %1：%2</translation>
    </message>
    <message>
        <source>NO_SHARD became fsdp_reshard_after_forward: false, but FSDP 2 still shards: for whole copies use distributed_type MULTI_GPU</source>
        <translation>NO_SHARD 变为 fsdp_reshard_after_forward: false，但 FSDP 2 仍会分片：要完整副本请用 distributed_type MULTI_GPU</translation>
    </message>
    <message>
        <source>%1 became fsdp_reshard_after_forward: %2; to keep a copy on each machine, set parallelism_config_dp_replicate_size to the number of machines and parallelism_config_dp_shard_size to the processes of one</source>
        <translation>%1 变为 fsdp_reshard_after_forward: %2；要在每台机器上保留一份副本，请将 parallelism_config_dp_replicate_size 设为机器数，并将 parallelism_config_dp_shard_size 设为每台机器的进程数</translation>
    </message>
    <message>
        <source>%1 became fsdp_reshard_after_forward: %2</source>
        <translation>%1 变为 fsdp_reshard_after_forward: %2</translation>
    </message>
    <message>
        <source>there is no fsdp_config: nothing to convert</source>
        <translation>没有 fsdp_config：无需转换</translation>
    </message>
    <message>
        <source>fsdp_version is 2 already: nothing to convert</source>
        <translation>fsdp_version 已是 2：无需转换</translation>
    </message>
    <message>
        <source>FSDP 2 always does it</source>
        <translation>FSDP 2 总是这样做</translation>
    </message>
    <message>
        <source>FSDP 2 prefetches by itself</source>
        <translation>FSDP 2 自行预取</translation>
    </message>
    <message>
        <source>FSDP 2 does not have it yet</source>
        <translation>FSDP 2 尚不支持</translation>
    </message>
    <message>
        <source>FSDP 2 has no need of it</source>
        <translation>FSDP 2 不需要它</translation>
    </message>
    <message>
        <source>LOCAL_STATE_DICT became SHARDED_STATE_DICT: FSDP 2 has no local checkpoints</source>
        <translation>LOCAL_STATE_DICT 变为 SHARDED_STATE_DICT：FSDP 2 没有本地 checkpoint</translation>
    </message>
    <message>
        <source>given twice, first in line %1: keep one</source>
        <translation>重复给出，首次在第 %1 行：请只保留一处</translation>
    </message>
    <message>
        <source>no text in UTF-8</source>
        <translation>不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>is not valid JSON here: no text in UTF-8</source>
        <translation>此处不是有效的 JSON：不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>is not valid JSON here: %1</source>
        <translation>此处不是有效的 JSON：%1</translation>
    </message>
    <message>
        <source>holds more than %1 values</source>
        <translation>含有超过 %1 个值</translation>
    </message>
    <message>
        <source>nested deeper than %1 levels</source>
        <translation>嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>is %1, more than the %2 allowed for settings</source>
        <translation>大小为 %1，超过设置允许的 %2</translation>
    </message>
    <message>
        <source>byte %1 is zero: this is not a text file</source>
        <translation>字节 %1 为零：这不是文本文件</translation>
    </message>
    <message>
        <source>is not valid JSON</source>
        <translation>不是有效的 JSON</translation>
    </message>
    <message>
        <source>ipex_config is of Accelerate 0.19 to 1.12 and was dropped: PyTorch itself now does what it asked for</source>
        <translation>ipex_config 属于 Accelerate 0.19 到 1.12，已去掉：其功能现由 PyTorch 自身完成</translation>
    </message>
    <message>
        <source>distributed_type: TPU became XLA, its name since 0.28</source>
        <translation>distributed_type: TPU 变为 XLA，自 0.28 起的名称</translation>
    </message>
    <message>
        <source>TP is of Accelerate 1.4 to 1.6: use FSDP with fsdp_version 2 and set parallelism_config_tp_size</source>
        <translation>TP 属于 Accelerate 1.4 到 1.6：请用 fsdp_version 2 的 FSDP 并设置 parallelism_config_tp_size</translation>
    </message>
    <message>
        <source>fp16 was dropped: mixed_precision is given, too, and counts</source>
        <translation>已去掉 fp16：同时给出了 mixed_precision，以它为准</translation>
    </message>
    <message>
        <source>fp16: true became mixed_precision: fp16</source>
        <translation>fp16: true 变为 mixed_precision: fp16</translation>
    </message>
    <message>
        <source>fp16: the text '%1' counts as true, as in Accelerate, and became mixed_precision: fp16: write mixed_precision: 'no' if that is meant</source>
        <translation>fp16：文本 '%1' 与 Accelerate 一样视为 true，变为 mixed_precision: fp16：若本意如此，请写 mixed_precision: 'no'</translation>
    </message>
    <message>
        <source>fp16: false was dropped: without mixed_precision nothing is mixed</source>
        <translation>已去掉 fp16: false：没有 mixed_precision 就不使用混合精度</translation>
    </message>
    <message>
        <source>dynamo_config was replaced: dynamo_backend of Accelerate 0.15 is given, too, and counts there</source>
        <translation>已替换 dynamo_config：同时给出了 Accelerate 0.15 的 dynamo_backend，以它为准</translation>
    </message>
    <message>
        <source>dynamo_backend: NO was dropped: nothing is compiled</source>
        <translation>已去掉 dynamo_backend: NO：不进行编译</translation>
    </message>
    <message>
        <source>dynamo_backend moved into dynamo_config</source>
        <translation>dynamo_backend 已移入 dynamo_config</translation>
    </message>
    <message>
        <source>tp_config is of Accelerate 1.4 to 1.6 and was dropped: parallelism_config has taken its place</source>
        <translation>tp_config 属于 Accelerate 1.4 到 1.6，已去掉：由 parallelism_config 取代</translation>
    </message>
    <message>
        <source>tp_size moved to parallelism_config.parallelism_config_tp_size</source>
        <translation>tp_size 已移至 parallelism_config.parallelism_config_tp_size</translation>
    </message>
    <message>
        <source>does not belong to compute_environment AMAZON_SAGEMAKER: remove it</source>
        <translation>不属于 compute_environment AMAZON_SAGEMAKER：请删除</translation>
    </message>
    <message>
        <source>does not belong to compute_environment LOCAL_MACHINE: remove it</source>
        <translation>不属于 compute_environment LOCAL_MACHINE：请删除</translation>
    </message>
    <message>
        <source>stands at the top level: move it into %1</source>
        <translation>位于顶层：请移入 %1</translation>
    </message>
    <message>
        <source>is not a known key: remove it</source>
        <translation>不是已知的键：请删除</translation>
    </message>
    <message>
        <source>is not a known key: did you mean '%1'?</source>
        <translation>不是已知的键：是否想写 '%1'？</translation>
    </message>
    <message>
        <source>%1 is not a table of keys: write its keys below it, indented by two spaces</source>
        <translation>%1 不是键的表：请将其键写在下面，缩进两个空格</translation>
    </message>
    <message>
        <source>%1 is not a known key of %2 and was kept as it is: did you mean '%3'?</source>
        <translation>%1 不是 %2 的已知键，已原样保留：是否想写 '%3'？</translation>
    </message>
    <message>
        <source>%1 is not a known key of %2 and was kept as it is</source>
        <translation>%1 不是 %2 的已知键，已原样保留</translation>
    </message>
    <message>
        <source>%1 was dropped: %2 is given, too, and counts</source>
        <translation>已去掉 %1：同时给出了 %2，以它为准</translation>
    </message>
    <message>
        <source>%1 is written %2 today</source>
        <translation>%1 现在写作 %2</translation>
    </message>
    <message>
        <source>%1 was read up to Accelerate %2; it was kept</source>
        <translation>%1 只读到 Accelerate %2 为止；已保留</translation>
    </message>
    <message>
        <source>%1 was read as %2</source>
        <translation>%1 被读作 %2</translation>
    </message>
    <message>
        <source>%1 was read as the list %2</source>
        <translation>%1 被读作列表 %2</translation>
    </message>
    <message>
        <source>%1 is a strategy of FSDP 1: with fsdp_version 2 use true</source>
        <translation>%1 是 FSDP 1 的策略：使用 fsdp_version 2 时请用 true</translation>
    </message>
    <message>
        <source>%1 is a strategy of FSDP 1: with fsdp_version 2 use false</source>
        <translation>%1 是 FSDP 1 的策略：使用 fsdp_version 2 时请用 false</translation>
    </message>
    <message>
        <source>fsdp_reshard_after_forward was dropped: FSDP 1 reads fsdp_sharding_strategy, which is given</source>
        <translation>已去掉 fsdp_reshard_after_forward：FSDP 1 读取的是已给出的 fsdp_sharding_strategy</translation>
    </message>
    <message>
        <source>%1 moved from fsdp_reshard_after_forward to fsdp_sharding_strategy, where FSDP 1 reads it</source>
        <translation>%1 已从 fsdp_reshard_after_forward 移至 FSDP 1 所读取的 fsdp_sharding_strategy</translation>
    </message>
    <message>
        <source>is missing: add it, e.g. distributed_type: DATA_PARALLEL, or 'NO' for one device</source>
        <translation>缺失：请添加，例如 distributed_type: DATA_PARALLEL，单个设备用 'NO'</translation>
    </message>
    <message>
        <source>is missing: add it, e.g. distributed_type: MULTI_GPU, or 'NO' for one process</source>
        <translation>缺失：请添加，例如 distributed_type: MULTI_GPU，单个进程用 'NO'</translation>
    </message>
    <message>
        <source>names nothing: write LOCAL_MACHINE or AMAZON_SAGEMAKER, or remove the key</source>
        <translation>没有值：请写 LOCAL_MACHINE 或 AMAZON_SAGEMAKER，或删除该键</translation>
    </message>
    <message>
        <source>is empty: write settings as `key: value` lines, at least distributed_type</source>
        <translation>为空：请以 `key: value` 行书写设置，至少包含 distributed_type</translation>
    </message>
    <message>
        <source>holds %1, not keys: write settings as `key: value` lines, at least distributed_type</source>
        <translation>内容是 %1，而不是键：请以 `key: value` 行书写设置，至少包含 distributed_type</translation>
    </message>
    <message>
        <source>%1: %2 is not a whole number</source>
        <translation>%1：%2 不是整数</translation>
    </message>
    <message>
        <source>%1: %2 is not a number</source>
        <translation>%1：%2 不是数字</translation>
    </message>
    <message>
        <source>%1: %2 is out of range, use %3 to %4</source>
        <translation>%1：%2 超出范围，请使用 %3 到 %4</translation>
    </message>
    <message>
        <source>%1: %2 is out of range, use %3 or more</source>
        <translation>%1：%2 超出范围，请使用 %3 或更大的值</translation>
    </message>
    <message>
        <source>%1: %2 is not one of %3</source>
        <translation>%1：%2 不是 %3 之一</translation>
    </message>
    <message>
        <source>%1: answer yes or no, not %2</source>
        <translation>%1：请回答 yes 或 no，而不是 %2</translation>
    </message>
    <message>
        <source>torch.compile without mixed precision needs TF32 to be fast: Accelerate switches it on</source>
        <translation>不使用混合精度时 torch.compile 需要 TF32 才快：Accelerate 会启用它</translation>
    </message>
    <message>
        <source>access keys are not stored: launch reads AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY from the environment</source>
        <translation>不保存访问密钥：launch 从环境中读取 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY</translation>
    </message>
    <message>
        <source>the role accelerate_sagemaker_execution_role is named, not made: where the account lacks it, create it with `aws iam create-role` and let it use SageMaker, S3, ECR and CloudWatch</source>
        <translation>只写明角色 accelerate_sagemaker_execution_role，并不创建：账户中没有时，请用 `aws iam create-role` 创建并允许其使用 SageMaker、S3、ECR 和 CloudWatch</translation>
    </message>
    <message>
        <source>tpu_name is missing: name the TPU cluster as `gcloud compute tpus tpu-vm list` does</source>
        <translation>缺少 tpu_name：请写出 `gcloud compute tpus tpu-vm list` 所列的 TPU 集群名称</translation>
    </message>
    <message>
        <source>tpu_zone is missing: name the zone of the TPU cluster, such as us-central1-a</source>
        <translation>缺少 tpu_zone：请写出 TPU 集群所在区域，例如 us-central1-a</translation>
    </message>
    <message>
        <source>command_file is missing: name the script with the start-up commands</source>
        <translation>缺少 command_file：请指定含启动命令的脚本</translation>
    </message>
    <message>
        <source>commands are missing: give at least one, or answer that there are none</source>
        <translation>缺少 commands：请至少给出一条，或回答没有</translation>
    </message>
    <message>
        <source>iam_role_name is missing: SageMaker starts no job without a role</source>
        <translation>缺少 iam_role_name：没有角色 SageMaker 不会启动作业</translation>
    </message>
    <message>
        <source>FSDP does not run on Neuron cores: answer no, or choose another machine type</source>
        <translation>FSDP 不能在 Neuron 核心上运行：请回答 no，或选择其他机器类型</translation>
    </message>
    <message>
        <source>MULTI_GPU with 1 process on 1 machine uses one GPU only: take 2 or more, or choose the machine type NO</source>
        <translation>MULTI_GPU 在 1 台机器上用 1 个进程只使用一个 GPU：请用 2 个或更多，或选择机器类型 NO</translation>
    </message>
    <message>
        <source>gpu_ids %1 is not a list of device numbers: use all, or numbers with commas such as 0,1</source>
        <translation>gpu_ids %1 不是设备编号列表：请用 all，或以逗号分隔的数字，例如 0,1</translation>
    </message>
    <message>
        <source>main_process_ip is missing: name the host or IP address of the machine with rank 0</source>
        <translation>缺少 main_process_ip：请写出 rank 0 所在机器的主机名或 IP 地址</translation>
    </message>
    <message>
        <source>main_process_port is missing: name a port from 0 to 65535, 29500 is the usual one</source>
        <translation>缺少 main_process_port：请给出 0 到 65535 的端口，通常为 29500</translation>
    </message>
    <message>
        <source>%1 does not run on Neuron cores: answer no, or choose another machine type</source>
        <translation>%1 不能在 Neuron 核心上运行：请回答 no，或选择其他机器类型</translation>
    </message>
    <message>
        <source>deepspeed_config_file is missing: name the DeepSpeed JSON, or answer that there is none</source>
        <translation>缺少 deepspeed_config_file：请指定 DeepSpeed JSON，或回答没有</translation>
    </message>
    <message>
        <source>%1 is given beside deepspeed_config_file, which DeepSpeed refuses: remove it here and set it in %2</source>
        <translation>%1 与 deepspeed_config_file 同时给出，DeepSpeed 不接受：请在此删除并在 %2 中设置</translation>
    </message>
    <message>
        <source>mixed_precision is given beside deepspeed_config_file, which DeepSpeed refuses: remove it here and set fp16 or bf16 in %1</source>
        <translation>mixed_precision 与 deepspeed_config_file 同时给出，DeepSpeed 不接受：请在此删除并在 %1 中设置 fp16 或 bf16</translation>
    </message>
    <message>
        <source>offload_optimizer_device %1 needs ZeRO, but zero_stage is 0: use zero_stage 1 to 3, or none</source>
        <translation>offload_optimizer_device %1 需要 ZeRO，但 zero_stage 为 0：请用 zero_stage 1 到 3，或 none</translation>
    </message>
    <message>
        <source>offload_param_device %1 needs zero_stage 3, but it is %2: use zero_stage 3, or none</source>
        <translation>offload_param_device %1 需要 zero_stage 3，但它是 %2：请用 zero_stage 3，或 none</translation>
    </message>
    <message>
        <source>offload_optimizer_device cpu has no effect with use_cpu, since the optimizer state is in that memory anyway: set it to none</source>
        <translation>使用 use_cpu 时 offload_optimizer_device cpu 无效，因为优化器状态本来就在该内存中：请设为 none</translation>
    </message>
    <message>
        <source>offload_%1_device is nvme, but offload_%1_nvme_path names no folder: /nvme is taken, so set the folder of your disk</source>
        <translation>offload_%1_device 为 nvme，但 offload_%1_nvme_path 未指定文件夹：将使用 /nvme，请设置磁盘上的文件夹</translation>
    </message>
    <message>
        <source>zero3_init_flag is true, but only zero_stage 3 builds a model sharded and it is %1: set it to false</source>
        <translation>zero3_init_flag 为 true，但只有 zero_stage 3 会分片构建模型，而它是 %1：请设为 false</translation>
    </message>
    <message>
        <source>distributed_type DEEPSPEED needs the Python package deepspeed, which this machine does not have: install it (pip install deepspeed), or use FSDP</source>
        <translation>distributed_type DEEPSPEED 需要 Python 包 deepspeed，本机没有：请安装（pip install deepspeed），或使用 FSDP</translation>
    </message>
    <message>
        <source>deepspeed_multinode_launcher nossh needs DeepSpeed 0.14.5, this machine has %1: install a newer one, or use pdsh</source>
        <translation>deepspeed_multinode_launcher nossh 需要 DeepSpeed 0.14.5，本机为 %1：请安装更新的版本，或使用 pdsh</translation>
    </message>
    <message>
        <source>deepspeed_moe_layer_cls_names needs DeepSpeed 0.14.0, this machine has %1: install a newer one, or remove it</source>
        <translation>deepspeed_moe_layer_cls_names 需要 DeepSpeed 0.14.0，本机为 %1：请安装更新的版本，或删除该键</translation>
    </message>
    <message>
        <source>deepspeed_hostfile is missing: DeepSpeed then looks for /job/hostfile, so name your own</source>
        <translation>缺少 deepspeed_hostfile：DeepSpeed 会查找 /job/hostfile，请指定自己的文件</translation>
    </message>
    <message>
        <source>deepspeed_inclusion_filter is passed over beside deepspeed_exclusion_filter: remove one of them</source>
        <translation>与 deepspeed_exclusion_filter 同时给出时忽略 deepspeed_inclusion_filter：请删除其一</translation>
    </message>
    <message>
        <source>backend MSAMP does not work with zero_stage 3: use TE or AO, or zero_stage 2</source>
        <translation>backend MSAMP 不能与 zero_stage 3 一起使用：请用 TE 或 AO，或 zero_stage 2</translation>
    </message>
    <message>
        <source>nothing is set both here and in DeepSpeed's own file</source>
        <translation>没有任何项同时在此处和 DeepSpeed 自己的文件中设置</translation>
    </message>
    <message>
        <source>what is offloaded is sharded</source>
        <translation>被卸载的内容已分片</translation>
    </message>
    <message>
        <source>what is offloaded to the CPU comes from another device</source>
        <translation>卸载到 CPU 的内容来自其他设备</translation>
    </message>
    <message>
        <source>offloading to NVMe has a folder</source>
        <translation>卸载到 NVMe 有对应的文件夹</translation>
    </message>
    <message>
        <source>only ZeRO stage 3 builds the model sharded</source>
        <translation>只有 ZeRO 第 3 级分片构建模型</translation>
    </message>
    <message>
        <source>DeepSpeed is there, in a version that can do it</source>
        <translation>DeepSpeed 已安装且版本支持</translation>
    </message>
    <message>
        <source>DeepSpeed's launcher knows its hosts</source>
        <translation>DeepSpeed 的启动器知道其主机</translation>
    </message>
    <message>
        <source>MS-AMP is not combined with ZeRO stage 3</source>
        <translation>MS-AMP 不与 ZeRO 第 3 级组合</translation>
    </message>
    <message>
        <source>machine_rank %1 is not there with one machine: use 0</source>
        <translation>只有一台机器时没有 machine_rank %1：请用 0</translation>
    </message>
    <message>
        <source>machine_rank %1 is not one of %2 machines: use 0 to %3</source>
        <translation>machine_rank %1 不在 %2 台机器之中：请用 0 到 %3</translation>
    </message>
    <message>
        <source>num_processes %1 is less than one for each of %2 machines: it counts all machines together, use %3 or a multiple</source>
        <translation>num_processes %1 不足以让 %2 台机器各有一个：它统计所有机器的总数，请用 %3 或其倍数</translation>
    </message>
    <message>
        <source>num_processes %1 cannot be shared out evenly over %2 machines: use %3 or %4, or say with --hosts how many each machine starts</source>
        <translation>num_processes %1 无法均分到 %2 台机器：请用 %3 或 %4，或用 --hosts 指明每台机器启动几个</translation>
    </message>
    <message>
        <source>main_process_ip "%1" is neither a host name nor an address: leave blanks, slashes, quotes, a leading dash and characters that a shell interprets out</source>
        <translation>main_process_ip "%1" 既不是主机名也不是地址：请去掉空格、斜杠、引号、开头的短横线以及会被 shell 解释的字符</translation>
    </message>
    <message>
        <source>main_process_ip is missing: %1 machines meet at the address of the one with machine_rank 0, so name it</source>
        <translation>缺少 main_process_ip：%1 台机器在 machine_rank 0 的机器地址会合，请写出该地址</translation>
    </message>
    <message>
        <source>main_process_ip %1 is every machine's own address: name the one by which the others reach the main machine</source>
        <translation>main_process_ip %1 是每台机器自身的地址：请写出其他机器访问主机器所用的地址</translation>
    </message>
    <message>
        <source>main_process_port is missing: several machines meet at one port, the same on all of them, e.g. 29500</source>
        <translation>缺少 main_process_port：多台机器在同一端口会合，所有机器须相同，例如 29500</translation>
    </message>
    <message>
        <source>main_process_port 0 picks a free port, which the other machines do not know: use the same number on all, e.g. 29500</source>
        <translation>main_process_port 0 选择空闲端口，其他机器无从得知：请在所有机器上用相同的端口号，例如 29500</translation>
    </message>
    <message>
        <source>main_process_port %1 is open to root only: use 1024 to 65535, or 0 for a free one</source>
        <translation>main_process_port %1 只对 root 开放：请用 1024 到 65535，或用 0 取空闲端口</translation>
    </message>
    <message>
        <source>main_process_port %1 is used by another program: a free one will be taken, as 0 asks for</source>
        <translation>main_process_port %1 已被其他程序占用：将像 0 那样取空闲端口</translation>
    </message>
    <message>
        <source>main_process_port %1 is used by another program on this machine: choose another one, the same on all machines</source>
        <translation>main_process_port %1 已被本机的其他程序占用：请选择另一个，所有机器须相同</translation>
    </message>
    <message>
        <source>distributed_type NO is for one process, but num_processes is %1: use MULTI_CPU</source>
        <translation>distributed_type NO 用于单个进程，但 num_processes 为 %1：请用 MULTI_CPU</translation>
    </message>
    <message>
        <source>distributed_type NO is for one process, but num_processes is %1: use MULTI_GPU or MULTI_CPU</source>
        <translation>distributed_type NO 用于单个进程，但 num_processes 为 %1：请用 MULTI_GPU 或 MULTI_CPU</translation>
    </message>
    <message>
        <source>num_processes 1 is not several: use 2 or more with %1, or distributed_type NO</source>
        <translation>num_processes 1 不是多个：使用 %1 时请用 2 个或更多，或用 distributed_type NO</translation>
    </message>
    <message>
        <source>use_cpu is true, but %1 trains on accelerators: set it to false, or use MULTI_CPU</source>
        <translation>use_cpu 为 true，但 %1 在加速器上训练：请设为 false，或用 MULTI_CPU</translation>
    </message>
    <message>
        <source>gpu_ids: "%1" is not the number of a device: use all, or numbers as in 0,1</source>
        <translation>gpu_ids："%1" 不是设备编号：请用 all，或如 0,1 的数字</translation>
    </message>
    <message>
        <source>gpu_ids names device %1 twice: name each once</source>
        <translation>gpu_ids 两次列出设备 %1：每个只列一次</translation>
    </message>
    <message>
        <source>gpu_ids names device %1, but this machine has %2: use 0 to %3</source>
        <translation>gpu_ids 列出设备 %1，但本机有 %2：请用 0 到 %3</translation>
    </message>
    <message>
        <source>1 device</source>
        <translation>1 个设备</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1 个设备</translation>
    </message>
    <message>
        <source>gpu_ids names one device, but %1 needs two or more: name more, or use distributed_type NO</source>
        <translation>gpu_ids 只列出一个设备，但 %1 需要两个或更多：请列出更多，或用 distributed_type NO</translation>
    </message>
    <message>
        <source>num_processes asks for %1 processes on each machine, but gpu_ids names %2: each process needs one, so make them equal</source>
        <translation>num_processes 要求每台机器 %1 个进程，但 gpu_ids 列出 %2：每个进程需要一个，请使两者相等</translation>
    </message>
    <message>
        <source>num_processes asks for %1 processes on this machine, which has %2: use %3</source>
        <translation>num_processes 要求本机 %1 个进程，而本机有 %2：请用 %3</translation>
    </message>
    <message>
        <source>distributed_type %1 is for %2 devices, but this machine has %3: use %4</source>
        <translation>distributed_type %1 用于 %2 设备，但本机有 %3：请用 %4</translation>
    </message>
    <message>
        <source>rdzv_backend "%1" is none of torchrun's own: did you mean %2?</source>
        <translation>rdzv_backend "%1" 不是 torchrun 自带的：是否想写 %2？</translation>
    </message>
    <message>
        <source>rdzv_backend "%1" is none of torchrun's own (static, c10d, etcd, etcd-v2): it must be registered on every machine</source>
        <translation>rdzv_backend "%1" 不是 torchrun 自带的（static、c10d、etcd、etcd-v2）：它必须在每台机器上注册</translation>
    </message>
    <message>
        <source>mpirun_hostfile asks for MPI, but neither mpirun nor mpiexec is on this machine: install Open MPI, Intel MPI or MVAPICH, or remove mpirun_hostfile</source>
        <translation>mpirun_hostfile 需要 MPI，但本机既没有 mpirun 也没有 mpiexec：请安装 Open MPI、Intel MPI 或 MVAPICH，或删除 mpirun_hostfile</translation>
    </message>
    <message>
        <source>%1 has no effect: it counts only when %2</source>
        <translation>%1 无效：仅当 %2 时起作用</translation>
    </message>
    <message>
        <source>machine_rank is one of the machines</source>
        <translation>machine_rank 是其中一台机器</translation>
    </message>
    <message>
        <source>the processes can be shared out evenly over the machines</source>
        <translation>进程可以均分到各机器</translation>
    </message>
    <message>
        <source>several machines have an address to meet at</source>
        <translation>多台机器有会合的地址</translation>
    </message>
    <message>
        <source>several machines without a rendezvous have a port to meet at</source>
        <translation>没有 rendezvous 的多台机器有会合的端口</translation>
    </message>
    <message>
        <source>several machines do not meet at a port that only one of them knows</source>
        <translation>多台机器不在只有其中一台知道的端口会合</translation>
    </message>
    <message>
        <source>the port is open to everybody</source>
        <translation>端口对所有人开放</translation>
    </message>
    <message>
        <source>the port is free on this machine</source>
        <translation>该端口在本机空闲</translation>
    </message>
    <message>
        <source>NO means one process, MULTI_ more than one</source>
        <translation>NO 表示一个进程，MULTI_ 表示多个</translation>
    </message>
    <message>
        <source>use_cpu does not contradict the way of training</source>
        <translation>use_cpu 与训练方式不矛盾</translation>
    </message>
    <message>
        <source>gpu_ids names devices, each once, that are there</source>
        <translation>gpu_ids 列出的设备各一次且都存在</translation>
    </message>
    <message>
        <source>there is one device for each process</source>
        <translation>每个进程有一个设备</translation>
    </message>
    <message>
        <source>the way of training is for this machine's devices</source>
        <translation>训练方式适用于本机的设备</translation>
    </message>
    <message>
        <source>rdzv_backend is one that torchrun has</source>
        <translation>rdzv_backend 是 torchrun 自带的</translation>
    </message>
    <message>
        <source>mpirun is there when it is asked for</source>
        <translation>需要时有 mpirun</translation>
    </message>
    <message>
        <source>no key stands there that nobody reads</source>
        <translation>没有无人读取的键</translation>
    </message>
    <message>
        <source>mixed_precision bf16 is not supported by this machine's device: use fp16, or no</source>
        <translation>本机设备不支持 mixed_precision bf16：请用 fp16 或 no</translation>
    </message>
    <message>
        <source>mixed_precision fp8 needs an accelerator, but it trains on the CPU: use bf16, or no</source>
        <translation>mixed_precision fp8 需要加速器，但在 CPU 上训练：请用 bf16 或 no</translation>
    </message>
    <message>
        <source>backend of fp8_config is missing: the first FP8 library that is installed is taken, so say AO, TE or MSAMP</source>
        <translation>fp8_config 缺少 backend：将使用首个已安装的 FP8 库，请写明 AO、TE 或 MSAMP</translation>
    </message>
    <message>
        <source>mixed_precision fp8 needs torchao, Transformer Engine or MS-AMP, and this machine has none: install one, or use bf16</source>
        <translation>mixed_precision fp8 需要 torchao、Transformer Engine 或 MS-AMP，本机都没有：请安装其一，或用 bf16</translation>
    </message>
    <message>
        <source>%1 is missing: a launch on a pod goes to it by name and zone, so set it</source>
        <translation>缺少 %1：在 pod 上启动需凭名称和区域访问它，请设置</translation>
    </message>
    <message>
        <source>tpu_env: "%1" is not a variable: write NAME=value</source>
        <translation>tpu_env："%1" 不是变量：请写 NAME=值</translation>
    </message>
    <message>
        <source>commands are passed over beside command_file: remove one of them</source>
        <translation>与 command_file 同时给出时忽略 commands：请删除其一</translation>
    </message>
    <message>
        <source>downcast_bf16 has no effect without mixed_precision bf16: set it to false</source>
        <translation>没有 mixed_precision bf16 时 downcast_bf16 无效：请设为 false</translation>
    </message>
    <message>
        <source>ec2_instance_type "%1" is none of SageMaker's: they begin with ml., as in ml.p3.2xlarge</source>
        <translation>ec2_instance_type "%1" 不是 SageMaker 的类型：它们以 ml. 开头，例如 ml.p3.2xlarge</translation>
    </message>
    <message>
        <source>ec2_instance_type %1 is none that Accelerate offers for DATA_PARALLEL: these are %2</source>
        <translation>ec2_instance_type %1 不在 Accelerate 为 DATA_PARALLEL 提供的类型中，可用的有：%2</translation>
    </message>
    <message>
        <source>distributed_type MODEL_PARALLEL asks for SageMaker's model parallelism, which Accelerate does not support yet: the job is started without it, so take DATA_PARALLEL or NO</source>
        <translation>distributed_type MODEL_PARALLEL 要求 SageMaker 的模型并行，Accelerate 尚不支持：作业启动时不会使用它，请用 DATA_PARALLEL 或 NO</translation>
    </message>
    <message>
        <source>profile is missing: a launch then needs AWS keys in the environment, so name a profile of ~/.aws</source>
        <translation>缺少 profile：启动时需要环境中有 AWS 密钥，请写出 ~/.aws 中的配置文件</translation>
    </message>
    <message>
        <source>the device computes in bf16</source>
        <translation>设备能以 bf16 计算</translation>
    </message>
    <message>
        <source>fp8 has an accelerator</source>
        <translation>fp8 有加速器</translation>
    </message>
    <message>
        <source>fp8 says which library computes it</source>
        <translation>fp8 指明由哪个库计算</translation>
    </message>
    <message>
        <source>a library for fp8 is there</source>
        <translation>有可用的 fp8 库</translation>
    </message>
    <message>
        <source>a TPU pod has name and zone</source>
        <translation>TPU pod 有名称和区域</translation>
    </message>
    <message>
        <source>variables of a TPU pod are NAME=value</source>
        <translation>TPU pod 的变量写成 NAME=值</translation>
    </message>
    <message>
        <source>commands of a TPU pod stand in one place</source>
        <translation>TPU pod 的命令写在一处</translation>
    </message>
    <message>
        <source>double precision in bf16 needs bf16</source>
        <translation>bf16 中的双精度需要 bf16</translation>
    </message>
    <message>
        <source>SageMaker knows the instance type</source>
        <translation>SageMaker 认识该实例类型</translation>
    </message>
    <message>
        <source>SageMaker is not asked for model parallelism</source>
        <translation>不要求 SageMaker 进行模型并行</translation>
    </message>
    <message>
        <source>SageMaker has credentials</source>
        <translation>SageMaker 有凭据</translation>
    </message>
    <message>
        <source>fsdp_sync_module_states is false, but fsdp_cpu_ram_efficient_loading leaves the other processes without weights: set it to true</source>
        <translation>fsdp_sync_module_states 为 false，但 fsdp_cpu_ram_efficient_loading 使其他进程没有权重：请设为 true</translation>
    </message>
    <message>
        <source>fsdp_state_dict_type LOCAL_STATE_DICT is of FSDP 1: use SHARDED_STATE_DICT</source>
        <translation>fsdp_state_dict_type LOCAL_STATE_DICT 属于 FSDP 1：请用 SHARDED_STATE_DICT</translation>
    </message>
    <message>
        <source>fsdp_forward_prefetch is of FSDP 1, FSDP 2 refuses it: remove it</source>
        <translation>fsdp_forward_prefetch 属于 FSDP 1，FSDP 2 不接受：请删除</translation>
    </message>
    <message>
        <source>fsdp_transformer_layer_cls_to_wrap has an empty place: name the classes as in LlamaDecoderLayer, or remove it for the model's own list</source>
        <translation>fsdp_transformer_layer_cls_to_wrap 中有空项：请写出类名，例如 LlamaDecoderLayer，或删除它以使用模型自己的列表</translation>
    </message>
    <message>
        <source>fsdp_min_num_params 0 wraps every module for itself: use a size such as 100000000</source>
        <translation>fsdp_min_num_params 0 会单独包装每个模块：请用例如 100000000 的大小</translation>
    </message>
    <message>
        <source>fsdp_sharding_strategy %1 keeps a copy on each machine, but there is one: FULL_SHARD does the same</source>
        <translation>fsdp_sharding_strategy %1 在每台机器上保留一份副本，但只有一台：FULL_SHARD 效果相同</translation>
    </message>
    <message>
        <source>fsdp_sharding_strategy %1 keeps a copy on each machine, but there is one: SHARD_GRAD_OP does the same</source>
        <translation>fsdp_sharding_strategy %1 在每台机器上保留一份副本，但只有一台：SHARD_GRAD_OP 效果相同</translation>
    </message>
    <message>
        <source>fsdp_version 1 has no mesh: parallelism_config needs FSDP 2, so use 2</source>
        <translation>fsdp_version 1 没有网格：parallelism_config 需要 FSDP 2，请用 2</translation>
    </message>
    <message>
        <source>%1 %2 needs FSDP 2, but distributed_type is %3: use FSDP with fsdp_version 2, or remove it</source>
        <translation>%1 %2 需要 FSDP 2，但 distributed_type 为 %3：请用 fsdp_version 2 的 FSDP，或删除它</translation>
    </message>
    <message>
        <source>parallelism_config_sp_size %1 needs DeepSpeed, but distributed_type is %2: use parallelism_config_cp_size, or DEEPSPEED</source>
        <translation>parallelism_config_sp_size %1 需要 DeepSpeed，但 distributed_type 为 %2：请用 parallelism_config_cp_size，或 DEEPSPEED</translation>
    </message>
    <message>
        <source>parallelism_config_sp_size and parallelism_config_cp_size both split the sequence: set one of them to 1</source>
        <translation>parallelism_config_sp_size 和 parallelism_config_cp_size 都切分序列：请将其中之一设为 1</translation>
    </message>
    <message>
        <source>%1 %2 does not divide %3 processes: use %4</source>
        <translation>%1 %2 不能整除 %3 个进程：请用 %4</translation>
    </message>
    <message>
        <source>too many</source>
        <translation>过多</translation>
    </message>
    <message>
        <source>the mesh %1 needs too many processes, num_processes is %2: set parallelism_config_dp_shard_size to %3</source>
        <translation>网格 %1 需要的进程过多，num_processes 为 %2：请将 parallelism_config_dp_shard_size 设为 %3</translation>
    </message>
    <message>
        <source>the mesh %1 needs too many processes, num_processes is %2: make the product %3</source>
        <translation>网格 %1 需要的进程过多，num_processes 为 %2：请使乘积为 %3</translation>
    </message>
    <message>
        <source>the mesh %1 needs %2 processes, num_processes is %3: set parallelism_config_dp_shard_size to %4</source>
        <translation>网格 %1 需要 %2 个进程，num_processes 为 %3：请将 parallelism_config_dp_shard_size 设为 %4</translation>
    </message>
    <message>
        <source>the mesh %1 needs %2 processes, num_processes is %3: make the product %4</source>
        <translation>网格 %1 需要 %2 个进程，num_processes 为 %3：请使乘积为 %4</translation>
    </message>
    <message>
        <source>parallelism_config_dp_replicate_size %1 cannot be combined with tensor or context parallelism unless parallelism_config_dp_shard_size is above 1: set it to 1</source>
        <translation>除非 parallelism_config_dp_shard_size 大于 1，parallelism_config_dp_replicate_size %1 不能与张量或上下文并行组合：请设为 1</translation>
    </message>
    <message>
        <source>parallelism_config_sp_attn_implementation "%1" cannot be split by heads: use sdpa, flash_attention_2, flash_attention_3 or a flash-attn kernel of the hub</source>
        <translation>parallelism_config_sp_attn_implementation "%1" 不能按头切分：请用 sdpa、flash_attention_2、flash_attention_3 或 hub 上的 flash-attn 内核</translation>
    </message>
    <message>
        <source>parallelism_config_sp_seq_length is missing: with sequences of one length it is needed, or set parallelism_config_sp_seq_length_is_variable to true</source>
        <translation>缺少 parallelism_config_sp_seq_length：序列长度固定时需要它，否则请将 parallelism_config_sp_seq_length_is_variable 设为 true</translation>
    </message>
    <message>
        <source>parallelism_config_sp_seq_length %1 is not a multiple of parallelism_config_sp_size %2: use %3 or %4</source>
        <translation>parallelism_config_sp_seq_length %1 不是 parallelism_config_sp_size %2 的倍数：请用 %3 或 %4</translation>
    </message>
    <message>
        <source>tensor, pipeline and context parallelism together take %1 processes, which does not divide %2: use %3 for %4</source>
        <translation>张量、流水线和上下文并行共需 %1 个进程，不能整除 %2：请将 %4 设为 %3</translation>
    </message>
    <message>
        <source>megatron_lm_expert_model_parallel_size %1 does not divide the %2 processes of a pipeline stage: use %3</source>
        <translation>megatron_lm_expert_model_parallel_size %1 不能整除一个流水线阶段的 %2 个进程：请用 %3</translation>
    </message>
    <message>
        <source>megatron_lm_overlap_cpu_optimizer_d2h_h2d has no effect: the optimizer is not on the CPU, so set megatron_lm_optimizer_cpu_offload, too</source>
        <translation>megatron_lm_overlap_cpu_optimizer_d2h_h2d 无效：优化器不在 CPU 上，请同时设置 megatron_lm_optimizer_cpu_offload</translation>
    </message>
    <message>
        <source>%1 has no effect with use_cpu, since everything is in that memory anyway: set it to false</source>
        <translation>使用 use_cpu 时 %1 无效，因为一切本来就在该内存中：请设为 false</translation>
    </message>
    <message>
        <source>what FSDP offloads to the CPU comes from another device</source>
        <translation>FSDP 卸载到 CPU 的内容来自其他设备</translation>
    </message>
    <message>
        <source>weights that one process loads are broadcast</source>
        <translation>由一个进程加载的权重会被广播</translation>
    </message>
    <message>
        <source>FSDP 2 has no local checkpoints</source>
        <translation>FSDP 2 没有本地 checkpoint</translation>
    </message>
    <message>
        <source>FSDP 2 has no forward prefetch</source>
        <translation>FSDP 2 没有前向预取</translation>
    </message>
    <message>
        <source>the list of layer classes has no empty place</source>
        <translation>层类列表中没有空项</translation>
    </message>
    <message>
        <source>wrapping by size has a size</source>
        <translation>按大小包装有指定大小</translation>
    </message>
    <message>
        <source>a hybrid strategy has several machines</source>
        <translation>混合策略有多台机器</translation>
    </message>
    <message>
        <source>a mesh has FSDP 2</source>
        <translation>网格使用 FSDP 2</translation>
    </message>
    <message>
        <source>sequence parallelism has DeepSpeed</source>
        <translation>序列并行使用 DeepSpeed</translation>
    </message>
    <message>
        <source>the sequence is split in one way</source>
        <translation>序列只以一种方式切分</translation>
    </message>
    <message>
        <source>the mesh has as many places as there are processes</source>
        <translation>网格的位置数与进程数相同</translation>
    </message>
    <message>
        <source>replicas of a tensor- or context-parallel model are sharded</source>
        <translation>张量或上下文并行模型的副本已分片</translation>
    </message>
    <message>
        <source>sequence parallelism has an attention that can be split by heads</source>
        <translation>序列并行有可按头切分的注意力</translation>
    </message>
    <message>
        <source>the sequence can be split evenly</source>
        <translation>序列可以均分</translation>
    </message>
    <message>
        <source>Megatron-LM's sizes divide the processes</source>
        <translation>Megatron-LM 的各项大小能整除进程数</translation>
    </message>
    <message>
        <source>transfers overlap with an optimizer on the CPU</source>
        <translation>传输与 CPU 上的优化器重叠</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a table of keys</source>
        <translation>键的表</translation>
    </message>
    <message>
        <source>the text "%1"</source>
        <translation>文本 "%1"</translation>
    </message>
    <message>
        <source>a bare %1 has a meaning of its own in YAML: write '%1' in quotes where it is a text</source>
        <translation>不带引号的 %1 在 YAML 中另有含义：若为文本，请写成带引号的 '%1'</translation>
    </message>
    <message>
        <source>%1 is no day or time that there is: write '%1' in quotes where it is a text</source>
        <translation>%1 不是存在的日期或时间：若为文本，请写成带引号的 '%1'</translation>
    </message>
    <message>
        <source>takes the keys of other tables: name a table (*name) or a list of tables</source>
        <translation>取用其他表的键：请写出一个表 (*name) 或表的列表</translation>
    </message>
    <message>
        <source>byte %1 is not text in UTF-8: save the file as UTF-8</source>
        <translation>字节 %1 不是 UTF-8 文本：请将文件保存为 UTF-8</translation>
    </message>
    <message>
        <source>a tab cannot stand here: use spaces</source>
        <translation>此处不能用制表符：请用空格</translation>
    </message>
    <message>
        <source>the quote that opens here is never closed: add one at the end of the text</source>
        <translation>此处的引号未闭合：请在文本末尾补上</translation>
    </message>
    <message>
        <source>%1 is not an adapter of the type LORA: this version computes no other</source>
        <translation>%1 不是 LORA 类型的适配器：此版本不计算其他类型</translation>
    </message>
    <message>
        <source>must be a whole number from 1 to %1</source>
        <translation>必须是 1 到 %1 的整数</translation>
    </message>
    <message>
        <source>must be a number</source>
        <translation>必须是数字</translation>
    </message>
    <message>
        <source>must be true or false</source>
        <translation>必须是 true 或 false</translation>
    </message>
    <message>
        <source>must be a list of names</source>
        <translation>必须是名称列表</translation>
    </message>
    <message>
        <source>names no modules, and target_parameters names no parameters: name what it adapts</source>
        <translation>没有列出模块，target_parameters 也没有列出参数：请指明要适配的内容</translation>
    </message>
    <message>
        <source>must be a whole number, or a list of them</source>
        <translation>必须是整数或整数列表</translation>
    </message>
    <message>
        <source>is for a list of target_modules, and they are an expression: leave one out</source>
        <translation>仅适用于列表形式的 target_modules，而它是表达式：请去掉其中之一</translation>
    </message>
    <message>
        <source>is not computed with exclude_modules, layers_to_transform, rank_pattern or alpha_pattern: merge the adapter with PEFT</source>
        <translation>与 exclude_modules、layers_to_transform、rank_pattern 或 alpha_pattern 一起时不计算：请用 PEFT 合并适配器</translation>
    </message>
    <message>
        <source>must be a table of numbers by the names of modules</source>
        <translation>必须是按模块名称给出数字的表</translation>
    </message>
    <message>
        <source>'%1' trains beside changed weights, which cannot be computed from the model's: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source>
        <translation>“%1”在改变过的权重之上训练，而这些权重无法由模型的权重算出：请用 PEFT 转换适配器（save_pretrained 的 path_initial_model_for_weight_conversion）</translation>
    </message>
    <message>
        <source>'%1' is not known, and it may stand for training beside changed weights: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source>
        <translation>“%1”未知，可能表示在改变过的权重之上训练：请用 PEFT 转换适配器（save_pretrained 的 path_initial_model_for_weight_conversion）</translation>
    </message>
    <message>
        <source>'%1' is not computed with target_parameters: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source>
        <translation>“%1”与 target_parameters 一起时不计算：请用 PEFT 转换适配器（save_pretrained 的 path_initial_model_for_weight_conversion）</translation>
    </message>
    <message>
        <source>trained biases are not computed: merge the adapter with PEFT</source>
        <translation>不计算训练过的偏置：请用 PEFT 合并适配器</translation>
    </message>
    <message>
        <source>an adapter that counts from certain tokens on (aLoRA) is not computed, and cannot be merged: use it with PEFT</source>
        <translation>从特定词元起才生效的适配器（aLoRA）不计算，也不能合并：请与 PEFT 一起使用</translation>
    </message>
    <message>
        <source>is not computed: merge the adapter with PEFT</source>
        <translation>不计算：请用 PEFT 合并适配器</translation>
    </message>
    <message>
        <source>this version does not know the field, so it cannot tell what it changes: remove it if it changes nothing of the result</source>
        <translation>此版本不认识该字段，因此不知道它会改变什么：如果它不影响结果，请将其删除</translation>
    </message>
    <message>
        <source>%1 is not a configuration of an adapter: it is not JSON</source>
        <translation>%1 不是适配器的配置：不是 JSON</translation>
    </message>
    <message>
        <source>%1 is not a configuration of an adapter: it is not an object</source>
        <translation>%1 不是适配器的配置：不是对象</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1，另有 %2 个</translation>
    </message>
    <message>
        <source>%1 and %2 are different values of the same tensor: save one adapter without its name</source>
        <translation>%1 和 %2 是同一张量的不同值：请保存一个不带名称的适配器</translation>
    </message>
    <message>
        <source>%1 differs from %2, and the model has one tensor for both (tie_word_embeddings): use the adapter with a model that has a head of its own</source>
        <translation>%1 与 %2 不同，而模型中两者共用一个张量（tie_word_embeddings）：请将适配器用于有自己输出层的模型</translation>
    </message>
    <message>
        <source>it has no tensor %1</source>
        <translation>缺少张量 %1</translation>
    </message>
    <message>
        <source>it has no tensor %1; of other names it has %2</source>
        <translation>缺少张量 %1；它有其他名称的 %2</translation>
    </message>
    <message>
        <source>%1 has tensors that neither the model nor its adapter has, and they are not used: %2</source>
        <translation>%1 中有模型及其适配器都没有的张量，这些张量未被使用：%2</translation>
    </message>
    <message>
        <source>%1 has the shape %2 instead of %3</source>
        <translation>%1 的形状为 %2，而不是 %3</translation>
    </message>
    <message>
        <source>%1 has elements of type %2: give them as F32, F16 or BF16</source>
        <translation>%1 的元素类型为 %2：请以 F32、F16 或 BF16 给出</translation>
    </message>
    <message>
        <source>the adapter was trained in a way that is not computed, such as DoRA (lora_magnitude_vector), with biases or for an embedding, so merge it with PEFT, or remove these tensors</source>
        <translation>适配器的训练方式不受支持，例如 DoRA（lora_magnitude_vector）、带偏置或用于嵌入，请用 PEFT 合并，或删除这些张量</translation>
    </message>
    <message>
        <source>these modules get no adapter, because target_modules in adapter_config.json does not name them, or because they are an output layer, so complete it, or remove these tensors</source>
        <translation>这些模块没有适配器，因为 adapter_config.json 的 target_modules 没有列出它们，或者它们是输出层，请补全，或删除这些张量</translation>
    </message>
    <message>
        <source>the model has no such modules</source>
        <translation>模型中没有这样的模块</translation>
    </message>
    <message>
        <source>%1 does not exist: name a folder of PEFT's layout, with adapter_model.safetensors</source>
        <translation>%1 不存在：请指定 PEFT 格式的文件夹，其中有 adapter_model.safetensors</translation>
    </message>
    <message>
        <source>missing: name the text files or folders to train on</source>
        <translation>缺失：请指定用于训练的文本文件或文件夹</translation>
    </message>
    <message>
        <source>%1 does not exist</source>
        <translation>%1 不存在</translation>
    </message>
    <message>
        <source>%1 contains no file that matches '%2' and is not empty</source>
        <translation>%1 中没有匹配 '%2' 且非空的文件</translation>
    </message>
    <message>
        <source>%1 is neither a file nor a folder</source>
        <translation>%1 既不是文件也不是文件夹</translation>
    </message>
    <message>
        <source>%1 is empty</source>
        <translation>%1 为空</translation>
    </message>
    <message>
        <source>the folders hold no file that matches '%1' and is not empty</source>
        <translation>文件夹中没有匹配 '%1' 且非空的文件</translation>
    </message>
    <message>
        <source>the text has %1, less than one sample of data.sequence_length (%2) bytes: add text or shorten the samples</source>
        <translation>文本共有 %1，不足一个样本的 data.sequence_length（%2）字节：请增加文本或缩短样本</translation>
    </message>
    <message>
        <source>must be above 0</source>
        <translation>必须大于 0</translation>
    </message>
    <message>
        <source>has a shortest_edge alone and nothing is cropped, so images of a batch would differ in size: give height and width, or do_center_crop with a crop_size</source>
        <translation>只有 shortest_edge 且不裁剪，同一批图像的大小会不同：请给出 height 和 width，或 do_center_crop 与 crop_size</translation>
    </message>
    <message>
        <source>must be a number above 0</source>
        <translation>必须是大于 0 的数</translation>
    </message>
    <message>
        <source>must have %1 numbers, one for each channel of the model's images</source>
        <translation>必须有 %1 个数，模型图像的每个通道一个</translation>
    </message>
    <message>
        <source>must have whole numbers from 1 to %1</source>
        <translation>必须是 1 到 %1 的整数</translation>
    </message>
    <message>
        <source>must have height and width</source>
        <translation>必须有 height 和 width</translation>
    </message>
    <message>
        <source>is %1, and this version has 0 (nearest), 2 (bilinear) and 3 (bicubic)</source>
        <translation>为 %1，而此版本支持 0（最近邻）、2（双线性）和 3（双三次）</translation>
    </message>
    <message>
        <source>has a longest_edge, which this version does not compute</source>
        <translation>含有 longest_edge，此版本不计算它</translation>
    </message>
    <message>
        <source>must have a shortest_edge</source>
        <translation>必须有 shortest_edge</translation>
    </message>
    <message>
        <source>must be a number above 0 and at most 1</source>
        <translation>必须是大于 0 且不超过 1 的数</translation>
    </message>
    <message>
        <source>this version does not know what %1 does with images: remove it if it changes nothing of them</source>
        <translation>此版本不知道 %1 对图像有何作用：如果它不改变图像，请删除它</translation>
    </message>
    <message>
        <source>%1 is not a JSON object: repair or remove it</source>
        <translation>%1 不是 JSON 对象：请修复或删除它</translation>
    </message>
    <message>
        <source>%1: image_processor_type: images of %2 are not computed by this version, which has %3: write the file of one of them that makes the same images</source>
        <translation>%1：image_processor_type：此版本不计算 %2 的图像，它支持 %3：请改写为其中一种能得到相同图像的文件</translation>
    </message>
    <message>
        <source>%1 makes images of %2 x %3 pixels, and model.image_size is %4: write the model's size there</source>
        <translation>%1 生成 %2 x %3 像素的图像，而 model.image_size 为 %4：请在那里写入模型的大小</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 个 rank</translation>
    </message>
    <message>
        <source>the text has %1 samples of %2 bytes to train on, too few for one batch of %3 on 1 rank: add text, lower training.batch_size or data.validation_fraction</source>
        <translation>文本有 %1 个 %2 字节的样本可用于训练，不足以构成 1 个 rank 上大小为 %3 的一个 batch：请增加文本，或减小 training.batch_size 或 data.validation_fraction</translation>
    </message>
    <message>
        <source>the text has %1 samples of %2 bytes to train on, too few for one batch of %3 on %4 ranks: add text, lower training.batch_size or data.validation_fraction</source>
        <translation>文本有 %1 个 %2 字节的样本可用于训练，不足以构成 %4 个 rank 上大小为 %3 的一个 batch：请增加文本，或减小 training.batch_size 或 data.validation_fraction</translation>
    </message>
    <message>
        <source>the text is too short to hold a sample out for evaluation: add text or set training.evaluate_every to 0</source>
        <translation>文本太短，无法留出样本用于评估：请增加文本，或将 training.evaluate_every 设为 0</translation>
    </message>
    <message>
        <source>the text holds the byte %1, so vocab_size must be at least %2 (256 takes any text), not %3</source>
        <translation>文本中含有字节 %1，因此 vocab_size 须至少为 %2（256 可用于任何文本），而不是 %3</translation>
    </message>
    <message>
        <source>missing: name the sets to train on</source>
        <translation>缺失：请指定用于训练的数据集</translation>
    </message>
    <message>
        <source>it puts %1 on %2, and it is trained: what is trained stays in memory, so put it on cpu, or freeze it</source>
        <translation>它将 %1 放在 %2 上，而它会被训练：被训练的内容留在内存中，请将其放在 cpu 上，或冻结它</translation>
    </message>
    <message>
        <source>%1 is not there: name a folder of PEFT's layout, with adapter_model.safetensors</source>
        <translation>%1 不存在：请指定 PEFT 布局的文件夹，其中含 adapter_model.safetensors</translation>
    </message>
    <message>
        <source>%1 has init_lora_weights '%2', so it was trained beside changed weights: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source>
        <translation>%1 的 init_lora_weights 为“%2”，因此是在改变过的权重之上训练的：请用 PEFT 转换适配器（save_pretrained 的 path_initial_model_for_weight_conversion）</translation>
    </message>
    <message>
        <source>%1 has a rank_pattern or an alpha_pattern, which recipes lack: merge the adapter first (trainyard merge-adapter)</source>
        <translation>%1 带有 rank_pattern 或 alpha_pattern，而训练配置中没有：请先合并适配器（trainyard merge-adapter）</translation>
    </message>
    <message>
        <source>is %1, and %2, which describes lora.adapter, has %3: give the same value</source>
        <translation>为 %1，而描述 lora.adapter 的 %2 中为 %3：请给出相同的值</translation>
    </message>
    <message>
        <source>%1 does not exist or is no file: name the file that torch.jit.save wrote</source>
        <translation>%1 不存在或不是文件：请指定由 torch.jit.save 写出的文件</translation>
    </message>
    <message>
        <source>%1 has %2 tokens, so vocab_size must be at least %3, not %4</source>
        <translation>%1 有 %2 个 token，因此 vocab_size 须至少为 %3，而不是 %4</translation>
    </message>
    <message>
        <source>%1 is not a folder: give a checkpoint folder or a run folder</source>
        <translation>%1 不是文件夹：请指定 checkpoint 文件夹或运行文件夹</translation>
    </message>
    <message>
        <source>give the file's own sizes under model</source>
        <translation>请在 model 下给出文件自身的尺寸</translation>
    </message>
    <message>
        <source>%1 is not of these weights</source>
        <translation>%1 不属于这些权重</translation>
    </message>
    <message>
        <source>%1 (and %2 more do not fit): %3</source>
        <translation>%1（另有 %2 个不匹配）：%3</translation>
    </message>
    <message>
        <source>has %1 of shape [%2], the recipe's model needs [%3]</source>
        <translation>中 %1 的形状为 [%2]，而配方的模型需要 [%3]</translation>
    </message>
    <message>
        <source>has no tensor %1</source>
        <translation>中没有张量 %1</translation>
    </message>
    <message>
        <source>has %1 in elements of type %2: quantised weights cannot be trained on, so give them as F32, F16 or BF16</source>
        <translation>中 %1 的元素类型为 %2：无法在量化权重上训练，请以 F32、F16 或 BF16 提供</translation>
    </message>
    <message>
        <source>has a head of its own, %1, which differs from the table of the embedding, and model.tie_word_embeddings is true: set it to false</source>
        <translation>有自己的输出头 %1，与嵌入的权重表不同，而 model.tie_word_embeddings 为 true：请设为 false</translation>
    </message>
    <message>
        <source>has tensors that %1 lacks (%2): remove them from the file, since training would drop them</source>
        <translation>中有 %1 所没有的张量（%2）：请从文件中移除，因为训练会丢弃它们</translation>
    </message>
    <message>
        <source>%1 has tie_word_embeddings: true, and the weights have a head of their own, %2, which differs from %3: the head of the file is used, and tie_word_embeddings counts as false</source>
        <translation>%1 中 tie_word_embeddings 为 true，而权重有自己的输出层 %2，与 %3 不同：使用文件中的输出层，tie_word_embeddings 视为 false</translation>
    </message>
    <message>
        <source>the recipe says %1, and %2, which describes the weights, says %3: leave the key out, or give the same value</source>
        <translation>配方中为 %1，而描述这些权重的 %2 中为 %3：请省略该键，或填写相同的值</translation>
    </message>
    <message>
        <source>is no key of %1, which the weights in %2 are of: leave it out</source>
        <translation>不是 %2 中权重所属的 %1 的键：请省略</translation>
    </message>
    <message>
        <source>is true, and the weights in %1 have a head of their own, %2, which differs from the table of the embedding: leave the key out, or set it to false</source>
        <translation>为 true，而 %1 中的权重有自己的输出层 %2，与嵌入表不同：请去掉该键，或设为 false</translation>
    </message>
    <message>
        <source>%1 has tie_word_embeddings: true, and the weights have a head of their own, %2, which differs from %3: both are written, and tie_word_embeddings as false</source>
        <translation>%1 中 tie_word_embeddings 为 true，而权重有自己的输出头 %2，与 %3 不同：两者都会写入，tie_word_embeddings 写为 false</translation>
    </message>
    <message>
        <source>%1 has tie_word_embeddings: true, and the weights have a head of their own, %2, which differs from %3: both are written; set tie_word_embeddings to false in the config.json that is used with the result</source>
        <translation>%1 中 tie_word_embeddings 为 true，而权重有自己的输出头 %2，与 %3 不同：两者都会写入；请在与结果一起使用的 config.json 中把 tie_word_embeddings 设为 false</translation>
    </message>
    <message>
        <source>%1 has the columns %2, none with a usual name (%3): name the one</source>
        <translation>%1 有列 %2，没有一个是常用名称（%3）：请指定其中一个</translation>
    </message>
    <message>
        <source>%1 has no column '%2'%3</source>
        <translation>%1 中没有列 '%2'%3</translation>
    </message>
    <message>
        <source>%1 in %2 is not text</source>
        <translation>%2 中的 %1 不是文本</translation>
    </message>
    <message>
        <source>%1 holds no device map: it should be a JSON object such as {"model.embed_tokens": 0, "model.layers.0": "cpu"}</source>
        <translation>%1 不含 device map：应为 JSON 对象，例如 {"model.embed_tokens": 0, "model.layers.0": "cpu"}</translation>
    </message>
    <message>
        <source>%1: '%2' is on %3, which is no device: give a number, cpu or disk</source>
        <translation>%1：'%2' 位于 %3，而它不是设备：请使用编号、cpu 或 disk</translation>
    </message>
    <message>
        <source>'%1' matches no module's whole name: there are %2</source>
        <translation>'%1' 不匹配任何模块的完整名称：现有 %2</translation>
    </message>
    <message>
        <source>'%1' is the end of no module's name: there are %2</source>
        <translation>'%1' 不是任何模块名称的结尾：现有 %2</translation>
    </message>
    <message>
        <source>%1 gets an adapter by lora.target_modules, too (%2): name it in one of them</source>
        <translation>%1 也会通过 lora.target_modules 得到适配器（%2）：请只在其中之一写出</translation>
    </message>
    <message>
        <source>'%1' is the end of no parameter's name: there are %2</source>
        <translation>'%1' 不是任何参数名称的结尾：现有 %2</translation>
    </message>
    <message>
        <source>'%1' is the end of no module's name: a parameter is called %2</source>
        <translation>'%1' 不是任何模块名称的结尾：例如有参数名为 %2</translation>
    </message>
    <message>
        <source>'%1' is the output layer, too, and PEFT would save it for one of them alone: leave it out, or set model.tie_word_embeddings to false</source>
        <translation>'%1' 同时也是输出层，而 PEFT 只会为其中之一保存：请去掉它，或将 model.tie_word_embeddings 设为 false</translation>
    </message>
    <message>
        <source>has no effect without adapters: set lora.r to their rank, e.g. 8</source>
        <translation>没有适配器时无效：请将 lora.r 设为其秩，例如 8</translation>
    </message>
    <message>
        <source>with adapters (lora.r) everything else is frozen anyway: leave it out</source>
        <translation>使用适配器 (lora.r) 时其余部分本来就被冻结：请去掉</translation>
    </message>
    <message>
        <source>adapters do not work with pipeline stages in this version: set parallel.pp_size to 1</source>
        <translation>此版本中适配器不能与流水线阶段一起使用：请将 parallel.pp_size 设为 1</translation>
    </message>
    <message>
        <source>is empty: name modules, or write all-linear</source>
        <translation>为空：请写出模块，或写 all-linear</translation>
    </message>
    <message>
        <source>nvme needs a folder: set parallel.offload_optimizer_nvme_path to one on a fast local disk</source>
        <translation>nvme 需要一个文件夹：请将 parallel.offload_optimizer_nvme_path 设为快速本地磁盘上的文件夹</translation>
    </message>
    <message>
        <source>has no effect without parallel.offload_optimizer_device: set that to nvme, or leave the folder out</source>
        <translation>没有 parallel.offload_optimizer_device 时不起作用：请将其设为 nvme，或去掉该文件夹</translation>
    </message>
    <message>
        <source>the state of %1 is not updated element by element behind backward, and cannot lie on a disk: set it to none, or take an optimizer like adamw</source>
        <translation>%1 的状态不是在反向传播之后逐元素更新的，不能存放在磁盘上：请设为 none，或使用 adamw 之类的优化器</translation>
    </message>
    <message>
        <source>%1 without momentum has no state that could lie on a disk: set it to none</source>
        <translation>没有动量的 %1 没有可存放在磁盘上的状态：请设为 none</translation>
    </message>
    <message>
        <source>has no effect without model.device_map: set it to auto</source>
        <translation>没有 model.device_map 时不起作用：请将其设为 auto</translation>
    </message>
    <message>
        <source>needs a model that the engine computes by itself, not %1: leave it out</source>
        <translation>需要由引擎自己计算的模型，而不是 %1：请去掉</translation>
    </message>
    <message>
        <source>needs model.weights: weights that stay on disk are read from their files</source>
        <translation>需要 model.weights：留在磁盘上的权重从其文件中读取</translation>
    </message>
    <message>
        <source>is for a model that is not trained itself, beside adapters: set lora.r to their rank, e.g. 8</source>
        <translation>用于自身不训练、旁边训练适配器的模型：请将 lora.r 设为适配器的秩，例如 8</translation>
    </message>
    <message>
        <source>does not work with pipeline stages in this version: set parallel.pp_size to 1</source>
        <translation>此版本中不能与流水线阶段一起使用：请将 parallel.pp_size 设为 1</translation>
    </message>
    <message>
        <source>the norm of all gradients is known only after it; leave it out (0)</source>
        <translation>所有梯度的范数之后才知道；请去掉（0）</translation>
    </message>
    <message>
        <source>no gradient is left to be clipped; leave it out, or set the optimizer's own limit (clip_grad_value of Lomo, clip_threshold of AdaLomo)</source>
        <translation>没有留下可裁剪的梯度；请去掉，或设置优化器自己的上限（Lomo 的 clip_grad_value，AdaLomo 的 clip_threshold）</translation>
    </message>
    <message>
        <source>no gradient is kept for the next micro-batch; set it to 1</source>
        <translation>没有梯度留给下一个 micro-batch；请设为 1</translation>
    </message>
    <message>
        <source>whether the scaled gradients overflow is known only after it; use bf16 or no</source>
        <translation>缩放后的梯度是否溢出，之后才知道；请用 bf16 或 no</translation>
    </message>
    <message>
        <source>the ranks cannot sum their gradients before; start one process, or use adafactor</source>
        <translation>各 rank 无法事先对梯度求和；请启动一个进程，或使用 adafactor</translation>
    </message>
    <message>
        <source>it works on one rank; set it to 0</source>
        <translation>它只在一个 rank 上工作；请设为 0</translation>
    </message>
    <message>
        <source>it works on one rank; set it to 1</source>
        <translation>它只在一个 rank 上工作；请设为 1</translation>
    </message>
    <message>
        <source>there are no gradients to show; set it to 0</source>
        <translation>没有可显示的梯度；请设为 0</translation>
    </message>
    <message>
        <source>a gradient that is not finite is always left out, and what comes after it; use skip, rollback, pause or stop</source>
        <translation>非有限的梯度及其之后的部分总会被略去；请用 skip、rollback、pause 或 stop</translation>
    </message>
    <message>
        <source>the update is done when a jump is noticed; use ignore, warn or rollback</source>
        <translation>发现突变时更新已完成；请用 ignore、warn 或 rollback</translation>
    </message>
    <message>
        <source>each of these clears the gradients; set it to 1, and add up the micro-batches inside of the closure</source>
        <translation>每次计算都会清除梯度；请设为 1，并在闭包内累加各微批次</translation>
    </message>
    <message>
        <source>it would compare scaled losses; use bf16 or no</source>
        <translation>它会比较缩放后的损失；请用 bf16 或 no</translation>
    </message>
    <message>
        <source>does not go with %1, which updates while backward runs: %2</source>
        <translation>不能与在反向传播期间更新的 %1 一起使用：%2</translation>
    </message>
    <message>
        <source>does not go with %1, which computes the loss several times in an update: %2</source>
        <translation>不能与 %1 一起使用，它在一次更新中多次计算损失：%2</translation>
    </message>
    <message>
        <source>%1 needs whole parameters, and under ZeRO every rank has slices of them: set zero_stage to 0, or take another optimizer</source>
        <translation>%1 需要完整的参数，而在 ZeRO 下每个 rank 只有其切片：把 zero_stage 设为 0，或换一个优化器</translation>
    </message>
    <message>
        <source>%1 keeps an average of the weights of its own: leave it out</source>
        <translation>%1 自己保存权重的平均：请去掉</translation>
    </message>
    <message>
        <source>%1 averages over its own steps, which ranks that train separately do not share: leave it out</source>
        <translation>%1 对自己的各步求平均，而各自训练的 rank 不共享这些步：请去掉</translation>
    </message>
    <message>
        <source>nesterov needs momentum above 0 and no dampening</source>
        <translation>nesterov 要求 momentum 大于 0 且没有 dampening</translation>
    </message>
    <message>
        <source>etas must be a factor below 1 and one above 1</source>
        <translation>etas 必须是一个小于 1 和一个大于 1 的因子</translation>
    </message>
    <message>
        <source>computes the loss several times in an update, which a recipe's step does once: use it in a program of your own (optim::make_optimizer, step(closure))</source>
        <translation>在一次更新中多次计算损失，而配方的一步只计算一次：请在自己的程序中使用（optim::make_optimizer, step(closure)）</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>a word</source>
        <translation>单词</translation>
    </message>
    <message>
        <source>a list of %1 numbers</source>
        <translation>含 %1 个数字的列表</translation>
    </message>
    <message>
        <source>%1 has no argument '%2'%3</source>
        <translation>%1 没有参数 '%2'%3</translation>
    </message>
    <message>
        <source>%1 of %2 must be %3</source>
        <translation>%2 的 %1 必须是%3</translation>
    </message>
    <message>
        <source>%1 of %2 must be %3, not %4</source>
        <translation>%2 的 %1 必须是%3，而不是 %4</translation>
    </message>
    <message>
        <source>%1 of %2: unknown value '%3'%4</source>
        <translation>%2 的 %1：未知的值 '%3'%4</translation>
    </message>
    <message>
        <source>%1 has a key of its own: write optimizer.%2</source>
        <translation>%1 有自己的键：请写 optimizer.%2</translation>
    </message>
    <message>
        <source>%1 takes several numbers: write optimizer.arguments: {%2: [...]}</source>
        <translation>%1 接受多个数字：请写成 optimizer.arguments: {%2: [...]}</translation>
    </message>
    <message>
        <source>%1 has no %2: leave it out, or take another optimizer.name</source>
        <translation>%1 没有 %2：请去掉它，或选择其他 optimizer.name</translation>
    </message>
    <message>
        <source>expected a table of settings, e.g. {lr: 1e-4, weight_decay: 0}</source>
        <translation>应为设置的表，例如 {lr: 1e-4, weight_decay: 0}</translation>
    </message>
    <message>
        <source>unknown optimizer '%1'%2</source>
        <translation>未知的优化器 '%1'%2</translation>
    </message>
    <message>
        <source>%1 and %2 do not go together: one of them trains an average</source>
        <translation>%1 与 %2 不能同时使用：其中一个训练的是平均值</translation>
    </message>
    <message>
        <source>unknown value '%1'%2</source>
        <translation>未知的值 '%1'%2</translation>
    </message>
    <message>
        <source>'%1': give a size for a device, such as cpu=2GB</source>
        <translation>'%1'：请给出设备的大小，例如 cpu=2GB</translation>
    </message>
    <message>
        <source>must be %1, not %2</source>
        <translation>必须是%1，而不是 %2</translation>
    </message>
    <message>
        <source>holds an empty path: name a file or folder</source>
        <translation>含有空路径：请指定文件或文件夹</translation>
    </message>
    <message>
        <source>'%1' is the name of no parameter: they are named like %2 and %3, and * stands for any part of a name</source>
        <translation>'%1' 不是任何参数的名称：参数名形如 %2 和 %3，* 代表名称的任意部分</translation>
    </message>
    <message>
        <source>freezes every parameter: leave some to train</source>
        <translation>冻结了所有参数：请留下一些用于训练</translation>
    </message>
    <message>
        <source>%1 cannot be trained for %2: it has %3</source>
        <translation>%1 不能用于 %2 的训练，它支持：%3</translation>
    </message>
    <message>
        <source>is no key of %1</source>
        <translation>不是 %1 的键</translation>
    </message>
    <message>
        <source>is no key of %1, which calls it %2</source>
        <translation>不是 %1 的键，它在那里叫 %2</translation>
    </message>
    <message>
        <source>%1 reads columns of tables, and %2 has none: take jsonl, csv, parquet or arrow</source>
        <translation>%1 读取表的列，而 %2 没有列：请用 jsonl、csv、parquet 或 arrow</translation>
    </message>
    <message>
        <source>%1 reads no images from %2: take images (a folder with a sub-folder for each class), numpy, safetensors, parquet or arrow</source>
        <translation>%1 不从 %2 读取图像：请用 images（每个类别一个子文件夹的文件夹）、numpy、safetensors、parquet 或 arrow</translation>
    </message>
    <message>
        <source>images are not for %1: take another format</source>
        <translation>images 不适用于 %1：请选择其他格式</translation>
    </message>
    <message>
        <source>conversations are columns of tables, for causal_lm: take jsonl, csv, parquet or arrow, or leave chat out</source>
        <translation>对话是表的列，用于 causal_lm：请用 jsonl、csv、parquet 或 arrow，或去掉 chat</translation>
    </message>
    <message>
        <source>keep is for format bytes: set it to stop or skip</source>
        <translation>keep 只用于格式 bytes：请设为 stop 或 skip</translation>
    </message>
    <message>
        <source>has no effect on %1, only on %2: leave it out</source>
        <translation>对 %1 无效，仅对 %2 有效：请去掉</translation>
    </message>
    <message>
        <source>sequence_classification and sentence_embedding</source>
        <translation>sequence_classification 和 sentence_embedding</translation>
    </message>
    <message>
        <source>classification, and on sentence_embedding with model.loss cosine_similarity</source>
        <translation>分类，以及 model.loss 为 cosine_similarity 的 sentence_embedding</translation>
    </message>
    <message>
        <source>must be from 2 on, so that a token can be learnt from another</source>
        <translation>必须至少为 2，这样才能从一个 token 学到另一个</translation>
    </message>
    <message>
        <source>sentence embeddings are not trained in pipeline stages in this version: set it to 1</source>
        <translation>此版本不在流水线阶段中训练句子嵌入：请设为 1</translation>
    </message>
    <message>
        <source>%1 is not cut into pipeline stages: set it to 1</source>
        <translation>%1 不能切分为流水线阶段：请设为 1</translation>
    </message>
    <message>
        <source>is of a plug-in, and the recipe names none: name its shared library in plugins</source>
        <translation>属于插件，而配方未指定插件：请在 plugins 中写出其共享库</translation>
    </message>
    <message>
        <source>missing: name the file that torch.jit.save wrote</source>
        <translation>缺失：请指定 torch.jit.save 写出的文件</translation>
    </message>
    <message>
        <source>has an effect on torchscript alone, and model.model_type is %1: leave one out</source>
        <translation>仅对 torchscript 有效，而 model.model_type 为 %1：请去掉其一</translation>
    </message>
    <message>
        <source>has no effect without data.plugin: name the data set</source>
        <translation>没有 data.plugin 时无效：请指定数据集</translation>
    </message>
    <message>
        <source>the data set of a plug-in reads no files of the recipe: leave one out, and name its files in data.arguments</source>
        <translation>插件的数据集不读取配方的文件：请去掉其一，并在 data.arguments 中指定其文件</translation>
    </message>
    <message>
        <source>adapters need a model that the engine computes by itself, not %1: set it to 0</source>
        <translation>适配器需要由引擎自己计算的模型，而不是 %1：请设为 0</translation>
    </message>
    <message>
        <source>has no effect on %1, whose blocks are not known: leave it out</source>
        <translation>对 %1 无效，因为不知道它的块：请去掉</translation>
    </message>
    <message>
        <source>%1 does not continue texts in this version: set it to 0</source>
        <translation>此版本中 %1 不能续写文本：请设为 0</translation>
    </message>
    <message>
        <source>'%1' is no loss of sentence embeddings%2: use %3 or %4</source>
        <translation>'%1' 不是句子嵌入的损失%2：请用 %3 或 %4</translation>
    </message>
    <message>
        <source>%1 is for sentence_embedding, not %2: leave it out</source>
        <translation>%1 用于 sentence_embedding，而不是 %2：请去掉</translation>
    </message>
    <message>
        <source>has no effect on %1, only on classification and on models of one's own: leave it out</source>
        <translation>对 %1 无效，仅对分类和自己的模型有效：请去掉</translation>
    </message>
    <message>
        <source>%1 pipeline stages cannot be cut from a model of %2 blocks (model.depths): give from 1 to %3</source>
        <translation>无法从有 %2 个块（model.depths）的模型中切出 %1 个流水线阶段：请给出 1 到 %3</translation>
    </message>
    <message>
        <source>%1 pipeline stages cannot be cut from a model of %2 blocks (model.%3): give from 1 to %4</source>
        <translation>无法从有 %2 个块（model.%3）的模型中切出 %1 个流水线阶段：请给出 1 到 %4</translation>
    </message>
    <message>
        <source>does not work with pipeline stages in this version (parallel.pp_size is %1): %2</source>
        <translation>此版本中不能与流水线阶段一起使用（parallel.pp_size 为 %1）：%2</translation>
    </message>
    <message>
        <source>set it to 0</source>
        <translation>请设为 0</translation>
    </message>
    <message>
        <source>use no, fp16 or bf16</source>
        <translation>请用 no、fp16 或 bf16</translation>
    </message>
    <message>
        <source>'%1' is of no parameter, or of none that a pattern before it leaves: they are named like %2</source>
        <translation>'%1' 不匹配任何参数，或不匹配前面的模式剩下的参数：参数名形如 %2</translation>
    </message>
    <message>
        <source>has no effect on %1, which has no weight_decay: leave it out</source>
        <translation>对 %1 没有作用，它没有 weight_decay：请去掉</translation>
    </message>
    <message>
        <source>has no effect where checkpoint.keep_last is 0, which keeps all checkpoints: set keep_last to 1 or more, or keep_every to 0</source>
        <translation>checkpoint.keep_last 为 0（保留全部 checkpoint）时无效：请将 keep_last 设为 1 或更大，或将 keep_every 设为 0</translation>
    </message>
    <message>
        <source>%1 is no multiple of checkpoint.every, %2, so there is no checkpoint at most of these steps: use %3</source>
        <translation>%1 不是 checkpoint.every（%2）的倍数，因此这些步大多没有 checkpoint：请用 %3</translation>
    </message>
    <message>
        <source>one average of the weights is kept: set training.ema_decay or swa_start to 0</source>
        <translation>只保存一份权重平均值：请将 training.ema_decay 或 swa_start 设为 0</translation>
    </message>
    <message>
        <source>the average would begin at step %1 of %2: begin it earlier, or set it to 0</source>
        <translation>平均将从第 %1 步（共 %2 步）开始：请提前开始，或设为 0</translation>
    </message>
    <message>
        <source>has no effect without training.swa_lr: set it</source>
        <translation>没有 training.swa_lr 时无效：请设置它</translation>
    </message>
    <message>
        <source>has no effect without training.swa_start: set it to the step to begin at</source>
        <translation>没有 training.swa_start 时无效：请设为开始的步</translation>
    </message>
    <message>
        <source>does not go with training.local_sgd_steps: %1</source>
        <translation>不能与 training.local_sgd_steps 一起使用：%1</translation>
    </message>
    <message>
        <source>ranks that train by themselves share nothing out; set it to 0</source>
        <translation>独立训练的 rank 不分担任何内容；请设为 0</translation>
    </message>
    <message>
        <source>no gradients travel; set it to no</source>
        <translation>不传输梯度；请设为 no</translation>
    </message>
    <message>
        <source>no gradients travel; leave it out</source>
        <translation>不传输梯度；请去掉</translation>
    </message>
    <message>
        <source>the ranks' weights differ between two averages; set it to 0</source>
        <translation>两次平均之间各 rank 的权重不同；请设为 0</translation>
    </message>
    <message>
        <source>the ranks' weights differ; set it to 0</source>
        <translation>各 rank 的权重不同；请设为 0</translation>
    </message>
    <message>
        <source>a rank without samples has nothing to train on; leave it out</source>
        <translation>没有样本的 rank 无可训练；请去掉</translation>
    </message>
    <message>
        <source>a model for %1 does not continue texts: set it to 0</source>
        <translation>用于 %1 的模型不能续写文本：请设为 0</translation>
    </message>
    <message>
        <source>samples need the whole model on one rank, and a pipeline shares it out: set parallel.pp_size to 1, or generation.every to 0 and use trainyard generate</source>
        <translation>生成样本需要一个 rank 上有完整模型，而流水线将其切分：请将 parallel.pp_size 设为 1，或将 generation.every 设为 0 并使用 trainyard generate</translation>
    </message>
    <message>
        <source>must not be empty</source>
        <translation>不能为空</translation>
    </message>
    <message>
        <source>has a slash or a control character: use letters, digits, spaces, '-', '_' and '.'</source>
        <translation>含有斜杠或控制字符：请用字母、数字、空格、'-'、'_' 和 '.'</translation>
    </message>
    <message>
        <source>must not be empty: * takes every file</source>
        <translation>不能为空：* 表示所有文件</translation>
    </message>
    <message>
        <source>makes tokens of text, and the format %1 has none: set data.format to text, jsonl, csv, parquet or arrow, or leave the tokenizer out</source>
        <translation>把文本变成 token，而格式 %1 没有文本：请将 data.format 设为 text、jsonl、csv、parquet 或 arrow，或去掉分词器</translation>
    </message>
    <message>
        <source>%1 is more than model.%2 (%3): shorten the samples or raise %4</source>
        <translation>%1 大于 model.%2（%3）：请缩短样本或增大 %4</translation>
    </message>
    <message>
        <source>rollback needs checkpoints to go back to: set checkpoint.every, or take skip</source>
        <translation>rollback 需要可以返回的 checkpoint：请设置 checkpoint.every，或改用 skip</translation>
    </message>
    <message>
        <source>stage 3, which shares out the weights, too, is not there yet: take 2, which shares out optimizer state and gradients</source>
        <translation>尚不支持同时切分权重的第 3 级：请用 2，它切分优化器状态和梯度</translation>
    </message>
    <message>
        <source>tensor parallelism</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>context parallelism</source>
        <translation>上下文并行</translation>
    </message>
    <message>
        <source>sequence parallelism</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>%1: %2 is not there in this version: set it to 1</source>
        <translation>%1：此版本不支持%2：请设为 1</translation>
    </message>
    <message>
        <source>%1 ranks can share out optimizer state and gradients, which needs ZeRO: set zero_stage to 1 or 2, or give dp_replicate_size instead</source>
        <translation>%1 个 rank 可以切分优化器状态和梯度，这需要 ZeRO：请将 zero_stage 设为 1 或 2，或改为给出 dp_replicate_size</translation>
    </message>
    <message>
        <source>%1: ZeRO shares out over all ranks, replicas of shards are not there in this version: give dp_shard_size instead</source>
        <translation>%1：ZeRO 在所有 rank 间切分，此版本没有分片的副本：请改为给出 dp_shard_size</translation>
    </message>
    <message>
        <source>%1 works on whole gradients, and under ZeRO stage 2 no rank keeps them: set comm_hook to no, or zero_stage to 1</source>
        <translation>%1 作用于完整的梯度，而在 ZeRO 第 2 级下没有 rank 保留它们：请将 comm_hook 设为 no，或将 zero_stage 设为 1</translation>
    </message>
    <message>
        <source>data.validation_fraction is 0, so no checkpoint has a validation loss: raise it or set keep_best to 0</source>
        <translation>data.validation_fraction 为 0，因此没有 checkpoint 具有验证损失：请增大它，或将 keep_best 设为 0</translation>
    </message>
    <message>
        <source>no average of the weights is kept, so there is no eval/loss_average: set training.ema_decay or swa_start, or take eval/loss</source>
        <translation>未保存权重平均值，因此没有 eval/loss_average：请设置 training.ema_decay 或 swa_start，或改用 eval/loss</translation>
    </message>
    <message>
        <source>there is no train/loss_scale without training.mixed_precision fp16: take another curve</source>
        <translation>没有 training.mixed_precision fp16 就没有 train/loss_scale：请选择其他曲线</translation>
    </message>
    <message>
        <source>%1 is more than %2 (%3): the warm-up would never end</source>
        <translation>%1 大于 %2（%3）：预热将永不结束</translation>
    </message>
    <message>
        <source>data.validation_fraction is 0, so nothing is held out to evaluate on: raise it or set evaluate_every to 0</source>
        <translation>data.validation_fraction 为 0，因此没有留出用于评估的数据：请增大它，或将 evaluate_every 设为 0</translation>
    </message>
    <message>
        <source>rank 0 sends every rank as many samples, so data.even_batches cannot be no: set one of them to its default</source>
        <translation>rank 0 向每个 rank 发送同样多的样本，因此 data.even_batches 不能为 no：请将其中之一设为默认值</translation>
    </message>
    <message>
        <source>greater than %1</source>
        <translation>大于 %1</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>greater than %1 and at most %2</source>
        <translation>大于 %1 且不超过 %2</translation>
    </message>
    <message>
        <source>at least %1 and less than %2</source>
        <translation>至少 %1 且小于 %2</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>%1 | path</source>
        <translation>%1 | 路径</translation>
    </message>
    <message>
        <source>%1 ranks cannot be shared among pipelines of %2 stages: start a multiple of %3 ranks, or change pp_size</source>
        <translation>%1 个 rank 无法分配给 %2 个阶段的流水线：请启动 %3 的倍数个 rank，或更改 pp_size</translation>
    </message>
    <message>
        <source>1 stage</source>
        <translation>1 个阶段</translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation>%1 个阶段</translation>
    </message>
    <message>
        <source>1 replica</source>
        <translation>1 个副本</translation>
    </message>
    <message>
        <source>%1 shards</source>
        <translation>%1 个分片</translation>
    </message>
    <message>
        <source>%1 replicas</source>
        <translation>%1 个副本</translation>
    </message>
    <message>
        <source>the mesh of %1 and %2 needs %3 ranks, and %4 are started: start %5 ranks, or make the size %6</source>
        <translation>由 %1 和 %2 组成的网格需要 %3 个 rank，而将启动 %4 个：请启动 %5 个 rank，或将大小设为 %6</translation>
    </message>
    <message>
        <source>a training on %1 ranks %2</source>
        <translation>在 %1 个 rank 上训练%2</translation>
    </message>
    <message>
        <source>data.split_batches shares every batch among %1 ranks, which %2 samples do not allow: make it a multiple of the ranks</source>
        <translation>data.split_batches 将每个 batch 分给 %1 个 rank，而 %2 个样本无法均分：请设为 rank 数的倍数</translation>
    </message>
    <message>
        <source>%1 samples cannot be shared evenly by %2 ranks: make it a multiple of the ranks, or start another number of them</source>
        <translation>%1 个样本无法由 %2 个 rank 均分：请设为 rank 数的倍数，或启动其他数量的 rank</translation>
    </message>
    <message>
        <source>%1 keeps no gradients for the next micro-batch: set training.batch_size to %2</source>
        <translation>%1 不为下一个 micro-batch 保留梯度：请将 training.batch_size 设为 %2</translation>
    </message>
    <message>
        <source>~ cannot be replaced: the variable HOME is not set</source>
        <translation>无法替换 ~：未设置变量 HOME</translation>
    </message>
    <message>
        <source>'%1' has a $ that names no variable: write $NAME, ${NAME} or $$</source>
        <translation>'%1' 中的 $ 没有指明变量：请写 $NAME、${NAME} 或 $$</translation>
    </message>
    <message>
        <source>the environment variable %1 is not set</source>
        <translation>未设置环境变量 %1</translation>
    </message>
    <message>
        <source>expected a recipe (keys with values), got %1</source>
        <translation>应为配方（键和值），实际为 %1</translation>
    </message>
    <message>
        <source>'%1' is not of the form key=value</source>
        <translation>'%1' 不是 键=值 的形式</translation>
    </message>
    <message>
        <source>unknown key '%1': it belongs under '%2'</source>
        <translation>未知的键 '%1'：它应位于 '%2' 之下</translation>
    </message>
    <message>
        <source>unknown key '%1'%2</source>
        <translation>未知的键 '%1'%2</translation>
    </message>
    <message>
        <source>expected a table of keys, got %1</source>
        <translation>应为键的表，实际为 %1</translation>
    </message>
    <message>
        <source>expected %1, got %2</source>
        <translation>应为%1，实际为 %2</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a path or a list of paths</source>
        <translation>路径或路径列表</translation>
    </message>
    <message>
        <source>a word or a list of words</source>
        <translation>单词或单词列表</translation>
    </message>
    <message>
        <source>a table of keys, e.g. {key: 1}</source>
        <translation>键的表，例如 {key: 1}</translation>
    </message>
    <message>
        <source>a table or a list, e.g. {key: 1} or [1, 2]</source>
        <translation>表或列表，例如 {key: 1} 或 [1, 2]</translation>
    </message>
    <message>
        <source>a list of two numbers, e.g. [0.9, 0.999]</source>
        <translation>两个数字的列表，例如 [0.9, 0.999]</translation>
    </message>
    <message>
        <source>has no effect on %1, which has no warm-up of its own: set it to 0, or take SequentialLR of a LinearLR and %2</source>
        <translation>对 %1 没有作用，它没有自己的预热：请设为 0，或用 SequentialLR 连接 LinearLR 和 %2</translation>
    </message>
    <message>
        <source>is given twice: schedule.arguments has num_warmup_steps, too: leave one out</source>
        <translation>给出了两次：schedule.arguments 中也有 num_warmup_steps：请去掉一个</translation>
    </message>
    <message>
        <source>has no effect on %1, which has no decay that ends at a step: set it to 0</source>
        <translation>对 %1 没有作用，它没有在某一步结束的衰减：请设为 0</translation>
    </message>
    <message>
        <source>is given twice: schedule.arguments has num_training_steps, too: leave one out</source>
        <translation>给出了两次：schedule.arguments 中也有 num_training_steps：请去掉一个</translation>
    </message>
    <message>
        <source>only the plain cosine and linear schedules end at it: give %1 its own arguments, or leave min_lr_ratio out</source>
        <translation>只有普通的 cosine 和 linear 计划以它结束：请给 %1 自己的参数，或去掉 min_lr_ratio</translation>
    </message>
    <message>
        <source>%1 follows the validation loss, which is computed only at the end, so the learning rate would never change: set training.evaluate_every and data.validation_fraction</source>
        <translation>%1 跟随验证损失，而它只在最后计算，学习率将永远不变：请设置 training.evaluate_every 和 data.validation_fraction</translation>
    </message>
    <message>
        <source>an alias (*name) inside of what it names has no end: write the value out</source>
        <translation>别名 (*name) 位于其所指内容之中，没有尽头：请写出具体的值</translation>
    </message>
    <message>
        <source>aliases (*name) are not allowed here: write the value out</source>
        <translation>此处不允许别名 (*name)：请写出具体的值</translation>
    </message>
    <message>
        <source>anchors (&amp;name) are not allowed here: write the value out where it is needed</source>
        <translation>此处不允许锚点 (&amp;name)：请在需要处写出具体的值</translation>
    </message>
    <message>
        <source>the tag %1 is not allowed here: leave it out</source>
        <translation>此处不允许标签 %1：请去掉</translation>
    </message>
    <message>
        <source>a key must be a name, not %1</source>
        <translation>键必须是名称，而不是 %1</translation>
    </message>
    <message>
        <source>holds more than one document (---): keep one</source>
        <translation>含有多个文档 (---)：请只保留一个</translation>
    </message>
    <message>
        <source>is not valid YAML here: %1</source>
        <translation>此处不是有效的 YAML：%1</translation>
    </message>
    <message>
        <source>ZeRO-%1: nothing is shared out, since there is one rank</source>
        <translation>ZeRO-%1：不做切分，因为只有一个 rank</translation>
    </message>
    <message>
        <source>ZeRO-%1: optimizer state is shared out among the %2 ranks</source>
        <translation>ZeRO-%1：优化器状态在 %2 个 rank 间切分</translation>
    </message>
    <message>
        <source>ZeRO-%1: optimizer state and gradients are shared out among the %2 ranks</source>
        <translation>ZeRO-%1：优化器状态和梯度在 %2 个 rank 间切分</translation>
    </message>
</context>
<context>
    <name>engine/data</name>
    <message>
        <source>split_batches cuts every batch among %1 ranks, which a batch size of %2 does not allow: make it a multiple</source>
        <translation>split_batches 将每个 batch 切分给 %1 个 rank，batch 大小 %2 无法整除：请使用其倍数</translation>
    </message>
    <message>
        <source>split_batches needs a batch size: give the batch sampler one, or do not split</source>
        <translation>split_batches 需要 batch 大小：请为 batch 采样器指定，或不切分</translation>
    </message>
    <message>
        <source>no batch of this epoch ends after %1 samples: the batch sampler gives other batches than when the state was saved</source>
        <translation>此 epoch 中没有 batch 在 %1 个样本后结束：batch 采样器给出的 batch 与保存状态时不同</translation>
    </message>
    <message>
        <source>at '%1'</source>
        <translation>（位于 '%1'）</translation>
    </message>
    <message>
        <source>samples of one batch differ in shape or dtype%1: pad them, or give the loader a collate function</source>
        <translation>同一 batch 中样本的形状或 dtype 不同%1：请填充样本，或为加载器指定 collate 函数</translation>
    </message>
    <message>
        <source>samples of one batch have lists of different length%1: give the loader a collate function</source>
        <translation>同一 batch 中样本的列表长度不同%1：请为加载器指定 collate 函数</translation>
    </message>
    <message>
        <source>samples of one batch have different keys%1: give all of them the same, or the loader a collate function</source>
        <translation>同一 batch 中样本的键不同%1：请让所有样本使用相同的键，或为加载器指定 collate 函数</translation>
    </message>
    <message>
        <source>samples of one batch differ in kind%1 (%2 and %3): give the loader a collate function</source>
        <translation>同一 batch 中样本的种类不同%1（%2 和 %3）：请为加载器指定 collate 函数</translation>
    </message>
    <message>
        <source>a batch of no samples cannot be made</source>
        <translation>没有样本，无法构成 batch</translation>
    </message>
    <message>
        <source>sample %1 of a data set of %2</source>
        <translation>第 %1 个样本，而数据集共 %2 个</translation>
    </message>
    <message>
        <source>this data set cannot go to a place that was saved</source>
        <translation>此数据集无法转到已保存的位置</translation>
    </message>
    <message>
        <source>this data set has no parts that ranks could read on their own</source>
        <translation>此数据集没有可由各 rank 单独读取的部分</translation>
    </message>
    <message>
        <source>'%1' has none</source>
        <translation>'%1' 没有行</translation>
    </message>
    <message>
        <source>'%1' has %2</source>
        <translation>'%1' 有 %2 行</translation>
    </message>
    <message>
        <source>tensors of a data set must have the same number of rows: %1, the first %2</source>
        <translation>数据集的张量必须具有相同的行数：%1，第一个有 %2 行</translation>
    </message>
    <message>
        <source>tensors of a data set must have the same number of rows: %1</source>
        <translation>数据集的张量必须具有相同的行数：%1</translation>
    </message>
    <message>
        <source>a data set of tensors needs at least one tensor</source>
        <translation>由张量组成的数据集至少需要一个张量</translation>
    </message>
    <message>
        <source>a subset names sample %1 of a data set of %2</source>
        <translation>子集指定了第 %1 个样本，而数据集共 %2 个</translation>
    </message>
    <message>
        <source>dispatch of a batch</source>
        <translation>分发 batch</translation>
    </message>
    <message>
        <source>shards of a dispatching loader</source>
        <translation>分发加载器的分片</translation>
    </message>
    <message>
        <source>rank %1 asks for shard %2 of %3</source>
        <translation>rank %1 请求第 %2 个分片，共 %3 个</translation>
    </message>
    <message>
        <source>a batch without tensors cannot be dispatched: use dispatch_batches: false</source>
        <translation>没有张量的 batch 无法分发：请使用 dispatch_batches: false</translation>
    </message>
    <message>
        <source>a slice function needs batches that can be joined along dimension 0: those of one step differ in shape</source>
        <translation>切片函数需要可沿第 0 维拼接的 batch：同一步中各 batch 的形状不同</translation>
    </message>
    <message>
        <source>unknown error</source>
        <translation>未知错误</translation>
    </message>
    <message>
        <source>rank 0 could not read the next batch: %1</source>
        <translation>rank 0 无法读取下一个 batch：%1</translation>
    </message>
    <message>
        <source>rank 0 sent a batch that is cut off</source>
        <translation>rank 0 发送的 batch 不完整</translation>
    </message>
    <message>
        <source>the sampler gave index %1 for a data set of %2 samples</source>
        <translation>采样器给出了索引 %1，而数据集有 %2 个样本</translation>
    </message>
    <message>
        <source>batch %1 of the batch sampler has %2 samples in the place of %3: leave batch_size out where batches are of any size</source>
        <translation>batch 采样器的第 %1 个 batch 有 %2 个样本，而不是 %3 个：batch 大小不固定时请省略 batch_size</translation>
    </message>
    <message>
        <source>samples of %1 tokens and windows of %2 documents cannot be made: give numbers above 0</source>
        <translation>无法构成 %1 个 token 的样本和 %2 个文档的窗口：请指定大于 0 的数</translation>
    </message>
    <message>
        <source>a document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>'%1' of a document is %2, and tokens are made of a text or of a list of whole numbers: name another column</source>
        <translation>文档的 '%1' 为 %2，而 token 须由文本或整数列表生成：请指定其他列</translation>
    </message>
    <message>
        <source>the documents are others than when the checkpoint was saved: bring back the old files, or begin the epoch again</source>
        <translation>文档与保存 checkpoint 时不同：请恢复原来的文件，或重新开始此 epoch</translation>
    </message>
    <message>
        <source>the data have %1 tokens, less than one sample of %2: add data or shorten the samples</source>
        <translation>数据有 %1 个 token，不足一个 %2 个 token 的样本：请增加数据或缩短样本</translation>
    </message>
    <message>
        <source>a file of the data set was changed while it was being read: start again with files that stay as they are</source>
        <translation>数据集的某个文件在读取时被更改：请使用保持不变的文件重新开始</translation>
    </message>
    <message>
        <source>cannot skip %1 batches</source>
        <translation>无法跳过 %1 个 batch</translation>
    </message>
    <message>
        <source>the state of a data loader names a place before the start of its data</source>
        <translation>数据加载器的状态指向其数据开头之前的位置</translation>
    </message>
    <message>
        <source>the state of a data loader was saved where %1 ranks read parts of the data on their own, here %2 do: go on with as many ranks, or from the next epoch</source>
        <translation>数据加载器的状态保存时由 %1 个 rank 各自读取部分数据，此处为 %2 个：请以相同的 rank 数继续，或从下一个 epoch 开始</translation>
    </message>
    <message>
        <source>set either dataset or stream</source>
        <translation>请设置 dataset 或 stream 之一</translation>
    </message>
    <message>
        <source>a stream has an order of its own: leave out shuffle, sampler and batch_sampler</source>
        <translation>流有自己的顺序：请省略 shuffle、sampler 和 batch_sampler</translation>
    </message>
    <message>
        <source>shuffle and sampler exclude each other</source>
        <translation>shuffle 和 sampler 不能同时使用</translation>
    </message>
    <message>
        <source>batch_sampler takes the place of batch_size, shuffle, sampler and drop_last</source>
        <translation>batch_sampler 取代 batch_size、shuffle、sampler 和 drop_last</translation>
    </message>
    <message>
        <source>the batch sampler has no function</source>
        <translation>batch 采样器没有函数</translation>
    </message>
    <message>
        <source>batch_size is %1: make it 1 or more</source>
        <translation>batch_size 为 %1：请使用 1 或更大的值</translation>
    </message>
    <message>
        <source>num_workers must be 0 or more, prefetch_factor 1 or more</source>
        <translation>num_workers 须至少为 0，prefetch_factor 须至少为 1</translation>
    </message>
    <message>
        <source>shard %1 of %2</source>
        <translation>第 %1 个分片，共 %2 个</translation>
    </message>
    <message>
        <source>dispatch_batches needs put_on_device</source>
        <translation>dispatch_batches 需要 put_on_device</translation>
    </message>
    <message>
        <source>the data loader cannot be made: %1</source>
        <translation>无法创建数据加载器：%1</translation>
    </message>
    <message>
        <source>seed of a sampler</source>
        <translation>采样器的种子</translation>
    </message>
    <message>
        <source>the state of a random generator cannot be used: %1</source>
        <translation>随机数生成器的状态无法使用：%1</translation>
    </message>
    <message>
        <source>rng_types names '%1': it may name generator, torch, cuda, xpu, npu, mlu, musa, hpu and sdaa</source>
        <translation>rng_types 中有 '%1'：可用 generator、torch、cuda、xpu、npu、mlu、musa、hpu 和 sdaa</translation>
    </message>
    <message>
        <source>random state of %1</source>
        <translation>%1 的随机状态</translation>
    </message>
    <message>
        <source>num_samples of a sampler is %1: make it 1 or more</source>
        <translation>采样器的 num_samples 为 %1：请使用 1 或更大的值</translation>
    </message>
    <message>
        <source>weights of a sampler must be a list of numbers, one per sample</source>
        <translation>采样器的权重必须是数值列表，每个样本一个</translation>
    </message>
    <message>
        <source>weight %1 of a sampler is %2: weights are finite and not negative</source>
        <translation>采样器的第 %1 个权重为 %2：权重须为有限且非负</translation>
    </message>
    <message>
        <source>a sampler without replacement cannot draw %1 samples of %2 with a positive weight</source>
        <translation>无放回采样器无法从 %2 个权重为正的样本中抽取 %1 个</translation>
    </message>
    <message>
        <source>the blend asks data set %1 for sample %2, it has %3: make it with more samples (see blend_sizes)</source>
        <translation>混合数据集请求数据集 %1 的第 %2 个样本，而它只有 %3 个：请以更多样本创建（见 blend_sizes）</translation>
    </message>
    <message>
        <source>column '%1' is to be filled with '%2', which is no %3</source>
        <translation>列 '%1' 要用 '%2' 填充，但它不是 %3</translation>
    </message>
    <message>
        <source>%1: column '%2' has no value in a row: fill it (fill: {%3: ...}) or leave such rows out of the file</source>
        <translation>%1：列 '%2' 在某一行没有值：请填充（fill: {%3: ...}），或从文件中去掉这样的行</translation>
    </message>
    <message>
        <source>%1 and %2 more files</source>
        <translation>%1 及另外 %2 个文件</translation>
    </message>
    <message>
        <source>%1 has fewer rows than when the checkpoint was saved</source>
        <translation>%1 的行数少于保存 checkpoint 时</translation>
    </message>
</context>
<context>
    <name>engine/distributed</name>
    <message>
        <source>it saved %1 tensors for backward in the forward, and %2 when it ran again</source>
        <translation>前向中为反向保存了 %1 个张量，重新运行时为 %2 个</translation>
    </message>
    <message>
        <source>saved tensor %1 was %2 in the forward, and %3 when it ran again</source>
        <translation>保存的张量 %1 在前向中为 %2，重新运行时为 %3</translation>
    </message>
    <message>
        <source>activation checkpointing of %1: %2: a part that is checkpointed must do the same each time, so take out what depends on anything but its inputs</source>
        <translation>%1 的激活检查点：%2：此类部分每次执行必须相同，请移除其中依赖输入以外内容的部分</translation>
    </message>
    <message>
        <source>unit %1</source>
        <translation>单元 %1</translation>
    </message>
    <message>
        <source>the function</source>
        <translation>该函数</translation>
    </message>
    <message>
        <source>a rank sent a damaged description of its operation</source>
        <translation>某个 rank 发送的操作描述已损坏</translation>
    </message>
    <message>
        <source>%1 %2 on %3</source>
        <translation>%1 %2，位于 %3</translation>
    </message>
    <message>
        <source>number %1</source>
        <translation>第 %1 项</translation>
    </message>
    <message>
        <source>%1 is not the same on all ranks</source>
        <translation>%1 在各 rank 上不一致</translation>
    </message>
    <message>
        <source>%1 failed, another rank is gone or did not come: %2</source>
        <translation>%1 失败，另一个 rank 已退出或未到达：%2</translation>
    </message>
    <message>
        <source>connecting the ranks of %1</source>
        <translation>连接 %1 的各 rank</translation>
    </message>
    <message>
        <source>telling the other ranks</source>
        <translation>通知其他 rank</translation>
    </message>
    <message>
        <source>waiting for a word of another rank (%1)</source>
        <translation>等待另一个 rank 的消息（%1）</translation>
    </message>
    <message>
        <source>MASTER_ADDR and MASTER_PORT: %1</source>
        <translation>MASTER_ADDR 和 MASTER_PORT：%1</translation>
    </message>
    <message>
        <source>rendezvous at %1:%2</source>
        <translation>在 %1:%2 会合</translation>
    </message>
    <message>
        <source>Give every rank the same; pad_across_processes makes sizes equal.</source>
        <translation>请为每个 rank 给出相同的内容；pad_across_processes 可使大小一致。</translation>
    </message>
    <message>
        <source>this</source>
        <translation>此</translation>
    </message>
    <message>
        <source>%1 takes tensors, this is %2: use gather_object or broadcast_object for other objects</source>
        <translation>%1 接受张量，而此处为 %2：其他对象请使用 gather_object 或 broadcast_object</translation>
    </message>
    <message>
        <source>%1 takes tensors, %2 is %3: use gather_object or broadcast_object for other objects</source>
        <translation>%1 接受张量，而 %2 为 %3：其他对象请使用 gather_object 或 broadcast_object</translation>
    </message>
    <message>
        <source>this tensor</source>
        <translation>此张量</translation>
    </message>
    <message>
        <source>reduce has no arithmetic for %1 (%2): convert it first</source>
        <translation>reduce 无法对 %1 运算（%2）：请先转换</translation>
    </message>
    <message>
        <source>there is no mean of %1 (%2): take the sum, or convert it to float first</source>
        <translation>%1 没有平均值（%2）：请取总和，或先转换为 float</translation>
    </message>
    <message>
        <source>there is no largest of complex numbers (%1): take the sum or the mean</source>
        <translation>复数没有最大值（%1）：请取总和或平均值</translation>
    </message>
    <message>
        <source>unknown reduction '%1': choose none, sum, mean or max</source>
        <translation>未知归约 '%1'：请选择 none、sum、mean 或 max</translation>
    </message>
    <message>
        <source>reduce (none)</source>
        <translation>reduce (none)</translation>
    </message>
    <message>
        <source>reduce (sum)</source>
        <translation>reduce (sum)</translation>
    </message>
    <message>
        <source>reduce (mean)</source>
        <translation>reduce (mean)</translation>
    </message>
    <message>
        <source>reduce (max)</source>
        <translation>reduce (max)</translation>
    </message>
    <message>
        <source>broadcast from rank %1</source>
        <translation>从 rank %1 broadcast</translation>
    </message>
    <message>
        <source>broadcast from rank %1: there are %2 ranks, counted from 0</source>
        <translation>从 rank %1 broadcast：共有 %2 个 rank，从 0 计数</translation>
    </message>
    <message>
        <source>%1 of %2 dimensions</source>
        <translation>%1，%2 维</translation>
    </message>
    <message>
        <source>pad_across_processes along %1</source>
        <translation>pad_across_processes，沿维度 %1</translation>
    </message>
    <message>
        <source>Give every rank the same kinds, dtypes and numbers of dimensions.</source>
        <translation>请为每个 rank 给出相同的种类、dtype 和维数。</translation>
    </message>
    <message>
        <source>%1 '%2' is unknown: choose one of %3</source>
        <translation>%1 '%2' 未知：请从 %3 中选择</translation>
    </message>
    <message>
        <source>the tensor is undefined</source>
        <translation>张量未定义</translation>
    </message>
    <message>
        <source>the tensor is not contiguous</source>
        <translation>张量在内存中不连续</translation>
    </message>
    <message>
        <source>the tensor is not on the communicator's device</source>
        <translation>张量不在该通信器的设备上</translation>
    </message>
    <message>
        <source>the tensor has no dimension to divide</source>
        <translation>张量没有可切分的维度</translation>
    </message>
    <message>
        <source>the rows do not divide among the ranks</source>
        <translation>各行无法在 rank 之间平分</translation>
    </message>
    <message>
        <source>the rows to or from the ranks are not those of the tensor</source>
        <translation>与各 rank 收发的行与张量的行不符</translation>
    </message>
    <message>
        <source>bool has no arithmetic: convert it, or use distributed/parallel/collectives.h</source>
        <translation>bool 无法运算：请转换，或使用 distributed/parallel/collectives.h</translation>
    </message>
    <message>
        <source>whole numbers have no average</source>
        <translation>整数没有平均值</translation>
    </message>
    <message>
        <source>the root is no rank of this communicator</source>
        <translation>root 不是该通信器的 rank</translation>
    </message>
    <message>
        <source>the other rank is none of this communicator, or this one</source>
        <translation>另一个 rank 不属于该通信器，或就是本 rank</translation>
    </message>
    <message>
        <source>the two tensors differ in dtype</source>
        <translation>两个张量的 dtype 不同</translation>
    </message>
    <message>
        <source>the target is not [ranks, ...] of the source</source>
        <translation>目标不是源的 [ranks, ...]</translation>
    </message>
    <message>
        <source>the source is not [ranks, ...] of the target</source>
        <translation>源不是目标的 [ranks, ...]</translation>
    </message>
    <message>
        <source>rows of the two tensors differ in shape</source>
        <translation>两个张量的行形状不同</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>let every rank call the same operation with the same shapes</source>
        <translation>请让每个 rank 以相同的形状调用相同的操作</translation>
    </message>
    <message>
        <source>out of turn</source>
        <translation>未按顺序</translation>
    </message>
    <message>
        <source>the last backward of rank %1 ended in an exception after %2 of %3 buckets of gradients were sent: the ranks no longer agree on the step; end the run and start it from its last checkpoint</source>
        <translation>rank %1 的上一次反向在发送 %3 个梯度桶中的 %2 个后因异常结束：各 rank 对此步不再一致；请结束运行并从最后的 checkpoint 启动</translation>
    </message>
    <message>
        <source>static_graph promises that all steps are alike; take it away</source>
        <translation>static_graph 承诺所有步都相同；请去掉它</translation>
    </message>
    <message>
        <source>set static_graph, which counts how often each one comes</source>
        <translation>请设置 static_graph，它会统计每个出现的次数</translation>
    </message>
    <message>
        <source>parameter %1 has a gradient and had none in the first step: static_graph promises that all steps are alike; take it away</source>
        <translation>参数 %1 有梯度，而在第一步中没有：static_graph 要求所有步都相同；请去掉它</translation>
    </message>
    <message>
        <source>parameter %1 has a gradient and had none in the first step: set static_graph, which counts how often each one comes</source>
        <translation>参数 %1 有梯度，而在第一步中没有：请设置 static_graph，它会统计各梯度出现的次数</translation>
    </message>
    <message>
        <source>parameter %1 got a gradient again after it was sent: static_graph promises that all steps are alike; take it away</source>
        <translation>参数 %1 在发送后又得到梯度：static_graph 要求所有步都相同；请去掉它</translation>
    </message>
    <message>
        <source>parameter %1 got a gradient again after it was sent: set static_graph, which counts how often each one comes</source>
        <translation>参数 %1 在发送后又得到梯度：请设置 static_graph，它会统计各梯度出现的次数</translation>
    </message>
    <message>
        <source>ranks that used each parameter</source>
        <translation>使用各参数的 rank</translation>
    </message>
    <message>
        <source>static_graph promises that all steps are alike, but these parameters had a gradient in the first step and none in this one: %1; take static_graph away</source>
        <translation>static_graph 要求所有步都相同，但以下参数在第一步有梯度而此步没有：%1；请去掉 static_graph</translation>
    </message>
    <message>
        <source>these parameters got no gradient in this backward on every rank: %1; use them in the loss, or set find_unused_parameters (static_graph where all steps are alike)</source>
        <translation>以下参数在此次反向中在所有 rank 上都没有得到梯度：%1；请在损失中使用它们，或设置 find_unused_parameters（若所有步都相同则设置 static_graph）</translation>
    </message>
    <message>
        <source>these parameters got no gradient in this backward: %1; use them in the loss, or set find_unused_parameters (static_graph where all steps are alike)</source>
        <translation>以下参数在此次反向中没有得到梯度：%1；请在损失中使用它们，或设置 find_unused_parameters（若所有步都相同则设置 static_graph）</translation>
    </message>
    <message>
        <source>who still has batches</source>
        <translation>哪些 rank 还有 batch</translation>
    </message>
    <message>
        <source>with uneven inputs some ranks reduce their gradients in this step and others accumulate: %1 of %2; accumulate over the same steps on all ranks (sync_with_dataloader off)</source>
        <translation>输入数量不均时，部分 rank 在此步归约梯度，其他 rank 则在累积：%2 个中的 %1 个；请在所有 rank 上按相同的步累积（关闭 sync_with_dataloader）</translation>
    </message>
    <message>
        <source>bucket_cap_mb is %1: it must be more than 0</source>
        <translation>bucket_cap_mb 为 %1：须大于 0</translation>
    </message>
    <message>
        <source>gradients to %1</source>
        <translation>到 %1 为止的梯度</translation>
    </message>
    <message>
        <source>Give every rank the same recipe, the same files and the same code.</source>
        <translation>请为每个 rank 给出相同的配方、相同的文件和相同的代码。</translation>
    </message>
    <message>
        <source>gradients %1</source>
        <translation>梯度 %1</translation>
    </message>
    <message>
        <source>the parameters of %1 got a gradient twice in one backward, and the first is on its way: set zero_stage to 0</source>
        <translation>%1 的参数在一次反向中两次得到梯度，而第一个已在发送：请将 zero_stage 设为 0</translation>
    </message>
    <message>
        <source>no gradient</source>
        <translation>无梯度</translation>
    </message>
    <message>
        <source>the gradients of a step</source>
        <translation>一步的梯度</translation>
    </message>
    <message>
        <source>use the same parameters on every rank, or set parallel.check_reduction to no</source>
        <translation>请在每个 rank 上使用相同的参数，或将 parallel.check_reduction 设为 no</translation>
    </message>
    <message>
        <source>these parameters got no gradient in this step: %1; use them in the loss, freeze them, or set find_unused_parameters</source>
        <translation>以下参数在此步没有得到梯度：%1；请在损失中使用、冻结它们，或设置 find_unused_parameters</translation>
    </message>
    <message>
        <source>values %1</source>
        <translation>值 %1</translation>
    </message>
    <message>
        <source>rank %1 has no more batches, and throw_on_early_termination is set</source>
        <translation>rank %1 已没有 batch，且设置了 throw_on_early_termination</translation>
    </message>
    <message>
        <source>join_uneven_inputs: give the modules whose gradients the ranks average</source>
        <translation>join_uneven_inputs：请给出由各 rank 对其梯度求平均的模块</translation>
    </message>
    <message>
        <source>join_uneven_inputs: all modules must share one communicator</source>
        <translation>join_uneven_inputs：所有模块必须共用一个通信器</translation>
    </message>
    <message>
        <source>'%1' is no number: give a whole one, or unset it</source>
        <translation>'%1' 不是数字：请给出整数，或取消设置</translation>
    </message>
    <message>
        <source>'%1' is neither true nor false: write true or false</source>
        <translation>'%1' 既非 true 也非 false：请写 true 或 false</translation>
    </message>
    <message>
        <source>there is at least 1 process</source>
        <translation>至少有 1 个进程</translation>
    </message>
    <message>
        <source>%1 is not below the number of processes, %2</source>
        <translation>%1 不小于进程数 %2</translation>
    </message>
    <message>
        <source>%1 is not between 1 and the %2 processes of all machines</source>
        <translation>%1 不在 1 到所有机器的进程数 %2 之间</translation>
    </message>
    <message>
        <source>%1 is beyond the rank or the number of processes of this machine, %2</source>
        <translation>%1 超出了 rank 或本机的进程数 %2</translation>
    </message>
    <message>
        <source>is not set: several machines need the address of rank 0</source>
        <translation>未设置：多台机器需要 rank 0 的地址</translation>
    </message>
    <message>
        <source>%1 is not a port: give 1 to 65535</source>
        <translation>%1 不是端口：请给出 1 到 65535</translation>
    </message>
    <message>
        <source>training on '%1' needs the library that brings this device to LibTorch: name it with --device_library or in %2, or train with --cpu</source>
        <translation>在 '%1' 上训练需要为 LibTorch 提供该设备的库：请用 --device_library 或在 %2 中指定，或使用 --cpu 训练</translation>
    </message>
    <message>
        <source>unknown reason</source>
        <translation>原因未知</translation>
    </message>
    <message>
        <source>build it where CUDA's headers are, or train with --cpu</source>
        <translation>请在有 CUDA 头文件的地方构建，或使用 --cpu 训练</translation>
    </message>
    <message>
        <source>training on '%1' needs %2, which cannot be opened (%3): build it where CUDA's headers are, or train with --cpu</source>
        <translation>在 '%1' 上训练需要 %2，但无法打开它（%3）：请在有 CUDA 头文件的地方构建，或使用 --cpu 训练</translation>
    </message>
    <message>
        <source>training on '%1' needs %2, which cannot be opened (%3): give the path of a library for LibTorch %4, or train with --cpu</source>
        <translation>在 '%1' 上训练需要 %2，但无法打开它（%3）：请给出适用于 LibTorch %4 的库的路径，或使用 --cpu 训练</translation>
    </message>
    <message>
        <source>training on '%1' needs %2, which cannot be opened (unknown reason): build it where CUDA's headers are, or train with --cpu</source>
        <translation>在 '%1' 上训练需要 %2，但无法打开它（原因未知）：请在有 CUDA 头文件的地方构建，或使用 --cpu 训练</translation>
    </message>
    <message>
        <source>training on '%1' needs %2, which cannot be opened (unknown reason): give the path of a library for LibTorch %3, or train with --cpu</source>
        <translation>在 '%1' 上训练需要 %2，但无法打开它（原因未知）：请给出适用于 LibTorch %3 的库的路径，或使用 --cpu 训练</translation>
    </message>
    <message>
        <source>it brings '%1'</source>
        <translation>它提供 '%1'</translation>
    </message>
    <message>
        <source>it brings no device</source>
        <translation>它不提供任何设备</translation>
    </message>
    <message>
        <source>the library of the device '%1' is another device's: %2</source>
        <translation>设备 '%1' 的库属于另一种设备：%2</translation>
    </message>
    <message>
        <source>there is 1</source>
        <translation>只有 1 个</translation>
    </message>
    <message>
        <source>rank %1 of this machine has no device %2: there is 1: start as many ranks as there are devices, or train with --cpu</source>
        <translation>本机的 rank %1 没有设备 %2：共有 1 个：请启动与设备数相同的 rank，或使用 --cpu 训练</translation>
    </message>
    <message>
        <source>rank %1 of this machine has no device %2: there are %3: start as many ranks as there are devices, or train with --cpu</source>
        <translation>本机的 rank %1 没有设备 %2：共有 %3 个：请启动与设备数相同的 rank，或使用 --cpu 训练</translation>
    </message>
    <message>
        <source>local_sgd_steps is %1: it must be at least 1</source>
        <translation>local_sgd_steps 为 %1：至少为 1</translation>
    </message>
    <message>
        <source>parameters of Local SGD</source>
        <translation>Local SGD 的参数</translation>
    </message>
    <message>
        <source>optimizer state of Local SGD</source>
        <translation>Local SGD 的优化器状态</translation>
    </message>
    <message>
        <source>weights of Local SGD</source>
        <translation>Local SGD 的权重</translation>
    </message>
    <message>
        <source>targets of the step</source>
        <translation>该步的目标</translation>
    </message>
    <message>
        <source>the mesh (%1) needs %2 ranks, %3 were started: make the product of its sizes %4</source>
        <translation>设备网格（%1）需要 %2 个 rank，而启动了 %3 个：请使各维大小的乘积为 %4</translation>
    </message>
    <message>
        <source>parameter %1 is computed from others: give the leaf it is computed from</source>
        <translation>参数 %1 由其他参数计算得出：请给出用于计算的叶张量</translation>
    </message>
    <message>
        <source>parameter %1 is not dense: make it dense</source>
        <translation>参数 %1 不是稠密的：请转换为稠密</translation>
    </message>
    <message>
        <source>parameter %1 is complex: keep it as two real numbers (view_as_real)</source>
        <translation>参数 %1 为复数：请保存为两个实数（view_as_real）</translation>
    </message>
    <message>
        <source>no parameter requires a gradient: data parallel has nothing to do</source>
        <translation>没有需要梯度的参数：数据并行无事可做</translation>
    </message>
    <message>
        <source>start values of the model</source>
        <translation>模型的初始值</translation>
    </message>
    <message>
        <source>buffers of the model</source>
        <translation>模型的缓冲区</translation>
    </message>
    <message>
        <source>Let every rank call the same operation.</source>
        <translation>请让每个 rank 调用相同的操作。</translation>
    </message>
    <message>
        <source>gathering of objects</source>
        <translation>聚合对象</translation>
    </message>
    <message>
        <source>gather_object takes a list, rank %1 gave %2: put the object into a list of one</source>
        <translation>gather_object 接受列表，而 rank %1 给出 %2：请将对象放入单元素列表</translation>
    </message>
    <message>
        <source>object of rank %1</source>
        <translation>rank %1 的对象</translation>
    </message>
    <message>
        <source>broadcast_object from rank %1: there are %2 ranks, counted from 0</source>
        <translation>从 rank %1 broadcast_object：共有 %2 个 rank，从 0 计数</translation>
    </message>
    <message>
        <source>PowerSGD's %1 of bucket %2 has %3 elements and needs %4: the state belongs to another model, bucket_cap_mb or rank; start it anew</source>
        <translation>PowerSGD 中桶 %2 的 %1 有 %3 个元素，需要 %4 个：该状态属于另一个模型、bucket_cap_mb 或秩；请重新开始</translation>
    </message>
    <message>
        <source>PowerSGD at step %1: %2 gradients sent as %3 numbers, %4 times fewer</source>
        <translation>PowerSGD，第 %1 步：%2 个梯度以 %3 个数发送，减少到 1/%4</translation>
    </message>
    <message>
        <source>PowerSGD's state has '%1' where the number of a bucket belongs</source>
        <translation>PowerSGD 的状态在应为桶编号处含有 '%1'</translation>
    </message>
    <message>
        <source>PowerSGD's state has iter %1 and rng_draws %2, which no run can have</source>
        <translation>PowerSGD 的状态中 iter 为 %1、rng_draws 为 %2，任何运行都不可能如此</translation>
    </message>
    <message>
        <source>%1 is not in %2 to %3</source>
        <translation>%1 不在 %2 到 %3 之间</translation>
    </message>
    <message>
        <source>it must be a number of at least 0</source>
        <translation>须为不小于 0 的数</translation>
    </message>
    <message>
        <source>comm_state_option is a %1: give a dictionary of options</source>
        <translation>comm_state_option 为 %1：请给出选项字典</translation>
    </message>
    <message>
        <source>is unknown: PowerSGD has %1</source>
        <translation>未知：PowerSGD 有 %1</translation>
    </message>
    <message>
        <source>%1: the first process failed before the others could go on</source>
        <translation>%1：第一个进程在其他进程继续之前已失败</translation>
    </message>
    <message>
        <source>process state</source>
        <translation>进程状态</translation>
    </message>
    <message>
        <source>ACCELERATE_TORCH_DEVICE is '%1': it must be a kind of device, or one with a number such as cuda:1</source>
        <translation>ACCELERATE_TORCH_DEVICE 为 '%1'：须为设备类型，或带编号，例如 cuda:1</translation>
    </message>
    <message>
        <source>split_between_processes: '%1' has %2 items, the first value has %3: all values must be of one length</source>
        <translation>split_between_processes：'%1' 有 %2 项，第一个值有 %3 项：所有值的长度必须相同</translation>
    </message>
    <message>
        <source>unknown log level '%1': choose debug, info, warning, error or critical</source>
        <translation>未知日志级别 '%1'：请选择 debug、info、warning、error 或 critical</translation>
    </message>
    <message>
        <source>turns of the logger %1</source>
        <translation>日志记录器 %1 的轮次</translation>
    </message>
    <message>
        <source>ZeRO stage %1 is not there: choose 0 (nothing is shared out), 1 (optimizer state) or 2 (gradients, too)</source>
        <translation>没有 ZeRO 阶段 %1：请选择 0（不分担）、1（优化器状态）或 2（还包括梯度）</translation>
    </message>
    <message>
        <source>Let every rank call the same operation with the same shapes.</source>
        <translation>请让每个 rank 以相同的形状调用相同的操作。</translation>
    </message>
    <message>
        <source>memory of %1</source>
        <translation>memory of %1</translation>
    </message>
    <message>
        <source>%1 failed: rank %2 is gone</source>
        <translation>%1 失败：rank %2 已退出</translation>
    </message>
    <message>
        <source>%1 failed: rank %2 did not come in %3 ms</source>
        <translation>%1 失败：rank %2 未在 %3 ms 内到达</translation>
    </message>
    <message>
        <source>the table does not say on which rank each of its stages is</source>
        <translation>该表未说明各 stage 位于哪个 rank</translation>
    </message>
    <message>
        <source>a stage is on rank %1, and the table has %2 ranks</source>
        <translation>有一个 stage 位于 rank %1，而该表有 %2 个 rank</translation>
    </message>
    <message>
        <source>%1 is there twice on rank %2</source>
        <translation>%1 在 rank %2 上出现两次</translation>
    </message>
    <message>
        <source>stage %1 has no whole backward of micro-batch %2</source>
        <translation>stage %1 没有 micro-batch %2 的完整反向</translation>
    </message>
    <message>
        <source>from rank %1 to rank %2</source>
        <translation>（从 rank %1 到 rank %2）</translation>
    </message>
    <message>
        <source>%1 messages are sent%2 and %3 received</source>
        <translation>发送 %1 条消息%2，接收 %3 条</translation>
    </message>
    <message>
        <source>message %1 is for %2 and is taken by %3</source>
        <translation>消息 %1 应由 %2 接收，却由 %3 取走</translation>
    </message>
    <message>
        <source>rank %1 waits in %2 for %3</source>
        <translation>rank %1 在 %2 中等待 %3</translation>
    </message>
    <message>
        <source>, rank %1 waits in %2 for %3</source>
        <translation>，rank %1 在 %2 中等待 %3</translation>
    </message>
    <message>
        <source>the table blocks: %1</source>
        <translation>该表会阻塞：%1</translation>
    </message>
    <message>
        <source>of stage %1</source>
        <translation>（stage %1）</translation>
    </message>
    <message>
        <source>%1 on rank %2</source>
        <translation>rank %2 上的 %1</translation>
    </message>
    <message>
        <source>%1 is of a stage or micro-batch that the table does not have</source>
        <translation>%1 所属的 stage 或 micro-batch 不在该表中</translation>
    </message>
    <message>
        <source>%1 is of a stage that is on rank %2</source>
        <translation>%1 所属的 stage 位于 rank %2</translation>
    </message>
    <message>
        <source>%1 has no stage at its other end</source>
        <translation>%1 的另一端没有 stage</translation>
    </message>
    <message>
        <source>%1 is a message of a rank to itself: neighbouring stages of one rank need none</source>
        <translation>%1 是 rank 发给自己的消息：同一 rank 上的相邻 stage 无需消息</translation>
    </message>
    <message>
        <source>there is no %1</source>
        <translation>没有 %1</translation>
    </message>
    <message>
        <source>%1 comes before %2 on rank %3</source>
        <translation>在 rank %3 上 %1 先于 %2</translation>
    </message>
    <message>
        <source>%1 pipeline stages cannot be cut from a model of %2 blocks: give from 1 to %3</source>
        <translation>%2 个块的模型无法切分为 %1 个流水线 stage：请给出 1 到 %3</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>（位于 %1）</translation>
    </message>
    <message>
        <source>cannot concatenate %1 and %2</source>
        <translation>无法拼接 %1 和 %2</translation>
    </message>
    <message>
        <source>cannot concatenate %1s of %2 and %3 items%4</source>
        <translation>无法拼接分别含 %2 和 %3 项的 %1%4</translation>
    </message>
    <message>
        <source>cannot concatenate dicts with different keys%1</source>
        <translation>无法拼接键不同的字典%1</translation>
    </message>
    <message>
        <source>a batch of %1 has no batch size: its first tensor needs a dimension</source>
        <translation>由 %1 组成的 batch 没有 batch 大小：其第一个张量须有维度</translation>
    </message>
    <message>
        <source>nothing to concatenate: give at least one batch</source>
        <translation>没有可拼接的内容：请至少给出一个 batch</translation>
    </message>
    <message>
        <source>complex numbers have no place in a list: take their real and imaginary parts first</source>
        <translation>复数无法放入列表：请先取其实部和虚部</translation>
    </message>
    <message>
        <source>expected %1, found %2</source>
        <translation>应为 %1，实为 %2</translation>
    </message>
    <message>
        <source>list or tuple</source>
        <translation>list 或 tuple</translation>
    </message>
    <message>
        <source>the key '%1' is missing</source>
        <translation>缺少键 '%1'</translation>
    </message>
    <message>
        <source>tensors of %1 cannot be sent as objects: convert them first</source>
        <translation>%1 类型的张量无法作为对象发送：请先转换</translation>
    </message>
    <message>
        <source>a nest deeper than %1 cannot be sent</source>
        <translation>嵌套深度超过 %1 的内容无法发送</translation>
    </message>
    <message>
        <source>it does not begin with TYT1</source>
        <translation>其开头不是 TYT1</translation>
    </message>
    <message>
        <source>something follows its end</source>
        <translation>其结尾之后还有内容</translation>
    </message>
    <message>
        <source>a received object is damaged at byte %1: %2</source>
        <translation>收到的对象在字节 %1 处损坏：%2</translation>
    </message>
    <message>
        <source>it claims more items than it has bytes</source>
        <translation>其声明的项数多于字节数</translation>
    </message>
    <message>
        <source>unknown dtype</source>
        <translation>未知 dtype</translation>
    </message>
    <message>
        <source>too many dimensions</source>
        <translation>维度过多</translation>
    </message>
    <message>
        <source>an impossible shape</source>
        <translation>不可能的形状</translation>
    </message>
    <message>
        <source>its bytes are not those of its shape</source>
        <translation>其字节数与形状不符</translation>
    </message>
    <message>
        <source>unknown kind of key</source>
        <translation>未知的键类型</translation>
    </message>
    <message>
        <source>the same key twice</source>
        <translation>键重复</translation>
    </message>
    <message>
        <source>nested too deep</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>unknown kind of value</source>
        <translation>未知的值类型</translation>
    </message>
</context>
<context>
    <name>engine/estimate</name>
    <message>
        <source>%1 is not an integer of at least %2</source>
        <translation>%1 不是不小于 %2 的整数</translation>
    </message>
    <message>
        <source>%1 is not a number</source>
        <translation>%1 不是数值</translation>
    </message>
    <message>
        <source>%1 is neither true nor false</source>
        <translation>%1 既不是 true 也不是 false</translation>
    </message>
    <message>
        <source>%1 is not text</source>
        <translation>%1 不是文本</translation>
    </message>
    <message>
        <source>%1 is not a list of positive integers</source>
        <translation>%1 不是正整数列表</translation>
    </message>
    <message>
        <source>%1 is not a JSON object</source>
        <translation>%1 不是 JSON 对象</translation>
    </message>
    <message>
        <source>%1 is not a JSON object: it should be the config.json of a model</source>
        <translation>%1 不是 JSON 对象：它应为模型的 config.json</translation>
    </message>
    <message>
        <source>%1: model_type '%2' is not known to this version%3</source>
        <translation>%1：此版本不支持 model_type '%2'%3</translation>
    </message>
    <message>
        <source>%1 is to be loaded with %2, and this version estimates %3 of %4</source>
        <translation>%1 要用 %2 加载，而此版本可估算 %4 的 %3</translation>
    </message>
    <message>
        <source>%1 must be a multiple of n_head, which is %2</source>
        <translation>%1 必须是 n_head 的倍数，而 n_head 为 %2</translation>
    </message>
    <message>
        <source>give one number, or height and width</source>
        <translation>请填写一个数，或高度和宽度</translation>
    </message>
    <message>
        <source>needs as many numbers as hidden_sizes</source>
        <translation>需要与 hidden_sizes 相同个数的数</translation>
    </message>
    <message>
        <source>the device '%1' is not known: devices are whole numbers (accelerators), mps, cpu and disk</source>
        <translation>未知设备 '%1'：设备为整数（加速器）、mps、cpu 和 disk</translation>
    </message>
    <message>
        <source>the offloaded layers have buffers of %1 bytes, and no accelerator has room for them: offload the buffers, too (offload_buffers)</source>
        <translation>被卸载的层有 %1 字节的缓冲区，没有加速器能放下：请同时卸载缓冲区（offload_buffers）</translation>
    </message>
    <message>
        <source>'%1' is not the name of a dtype: float32, bfloat16, int8, bool ...</source>
        <translation>'%1' 不是 dtype 的名称：float32、bfloat16、int8、bool ...</translation>
    </message>
    <message>
        <source>device 0 can be spared only among devices that are numbered from 0 without a gap</source>
        <translation>只有当设备从 0 开始连续编号时，才能少占用设备 0</translation>
    </message>
    <message>
        <source>data sheet, dense products</source>
        <translation>数据手册，稠密乘法</translation>
    </message>
    <message>
        <source>peak that runs measured on this machine</source>
        <translation>本机运行实测的峰值</translation>
    </message>
    <message>
        <source>80 GFLOP/s a core, not measured yet</source>
        <translation>每核 80 GFLOP/s，尚未实测</translation>
    </message>
    <message>
        <source>what a model of type %1 consists of is known when it is loaded, so its memory cannot be estimated: start a short run, which reports what it uses</source>
        <translation>%1 类型模型的组成要到加载时才知道，因此无法估算其内存：请启动一次短运行，它会报告所用内存</translation>
    </message>
    <message>
        <source>%1, %2 thread, %3, %4 rank</source>
        <translation>%1，%2 个线程，%3，%4 个 rank</translation>
    </message>
    <message>
        <source>%1, %2 thread, %3, %4 ranks</source>
        <translation>%1，%2 个线程，%3，%4 个 rank</translation>
    </message>
    <message>
        <source>%1, %2 threads, %3, %4 rank</source>
        <translation>%1，%2 个线程，%3，%4 个 rank</translation>
    </message>
    <message>
        <source>%1, %2 threads, %3, %4 ranks</source>
        <translation>%1，%2 个线程，%3，%4 个 rank</translation>
    </message>
    <message>
        <source>%1 describes a model of %2 parameters: check its numbers</source>
        <translation>%1 描述的模型有 %2 个参数：请检查其中的数值</translation>
    </message>
    <message>
        <source>the recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>unknown dtype '%1'%2</source>
        <translation>未知 dtype '%1'%2</translation>
    </message>
    <message>
        <source>Largest Layer</source>
        <translation>最大的层</translation>
    </message>
    <message>
        <source>Total Size</source>
        <translation>总大小</translation>
    </message>
    <message>
        <source>Training using Adam</source>
        <translation>使用 Adam 训练</translation>
    </message>
    <message>
        <source>Memory Usage for loading `%1`</source>
        <translation>加载 `%1` 的内存用量</translation>
    </message>
    <message>
        <source>%1 is a convolutional network: its training memory depends on the size of the pictures and is not estimated; only loading it is</source>
        <translation>%1 是卷积网络：其训练内存取决于图像大小，不作估算；仅估算加载内存</translation>
    </message>
    <message>
        <source>%1 has no numbered layers with matrices: its training memory cannot be estimated</source>
        <translation>%1 没有带矩阵的编号层：无法估算其训练内存</translation>
    </message>
    <message>
        <source>a model by numbers needs layers, hidden size, heads that divide it, and a vocabulary of at least 1</source>
        <translation>按数值描述的模型需要层数、隐藏大小、能整除它的头数，以及至少为 1 的词表</translation>
    </message>
    <message>
        <source>%1 parameters do not go with %2 layers of width %3 and a vocabulary of %4: check the numbers</source>
        <translation>%1 个参数与宽度为 %3 的 %2 层及大小为 %4 的词表不符：请检查这些数值</translation>
    </message>
    <message>
        <source>%1 is no file or folder here: name a recipe, a config.json, a safetensors file or the folder of a model</source>
        <translation>%1 在此处不是文件或文件夹：请指定配方、config.json、safetensors 文件或模型的文件夹</translation>
    </message>
    <message>
        <source>1 micro-batch</source>
        <translation>1 个 micro-batch</translation>
    </message>
    <message>
        <source>%1 micro-batches</source>
        <translation>%1 个 micro-batch</translation>
    </message>
    <message>
        <source>%1 over %2 stages (blocks %3), %4: idle for %5 % of a step, keeps up to %6</source>
        <translation>%1，%2 个 stage（块 %3），%4：每步空闲 %5 %，最多保留 %6</translation>
    </message>
    <message>
        <source>a host needs %1 for what is offloaded and has %2: %3 short</source>
        <translation>每台主机存放卸载内容需要 %1，现有 %2：缺少 %3</translation>
    </message>
    <message>
        <source>a rank needs %1 of %2, most of it for %3 (%4)</source>
        <translation>每个 rank 需要 %1，可用 %2，其中占用最多的是 %3（%4）</translation>
    </message>
    <message>
        <source>a rank needs %1 of %2, most of it for %3 (%4), and %5</source>
        <translation>每个 rank 需要 %1，可用 %2，其中占用最多的是 %3（%4），并且 %5</translation>
    </message>
    <message>
        <source>%1; %2 %3 is enough</source>
        <translation>%1；%2 %3 即可</translation>
    </message>
    <message>
        <source>%1; no single change is enough, %2 devices with zero_stage %3, tp %4 and pp %5 are</source>
        <translation>%1；任何单项更改都不够，使用 %2 个设备以及 zero_stage %3、tp %4 和 pp %5 即可</translation>
    </message>
    <message>
        <source>%1; no single change is enough, and no layout of these devices</source>
        <translation>%1；任何单项更改都不够，这些设备的任何布局也都不够</translation>
    </message>
    <message>
        <source>4 bytes * %1 parameters * %2 averages</source>
        <translation>4 字节 * %1 个参数 * %2 个平均</translation>
    </message>
    <message>
        <source>weights and optimizer state are copied, and training goes on</source>
        <translation>复制权重和优化器状态，训练继续进行</translation>
    </message>
    <message>
        <source>measured on the CPU (packaging/bench estimate)</source>
        <translation>在 CPU 上实测（packaging/bench estimate）</translation>
    </message>
    <message>
        <source>code and buffers of 16-bit products</source>
        <translation>16 位乘法的代码和缓冲区</translation>
    </message>
    <message>
        <source>connections to the other ranks</source>
        <translation>与其他 rank 的连接</translation>
    </message>
    <message>
        <source>measured by runs on this processor</source>
        <translation>由此处理器上的运行实测</translation>
    </message>
    <message>
        <source>measured on the CPU</source>
        <translation>在 CPU 上实测</translation>
    </message>
    <message>
        <source>program, LibTorch, threads</source>
        <translation>程序、LibTorch、线程</translation>
    </message>
    <message>
        <source>/ %1 ranks</source>
        <translation>/ %1 个 rank</translation>
    </message>
    <message>
        <source>%1 bytes * %2 parameters%3 + %4 * %5 of LoRA</source>
        <translation>%1 字节 * %2 个参数%3 + %4 * %5（LoRA）</translation>
    </message>
    <message>
        <source>%1 bytes * %2 parameters%3</source>
        <translation>%1 字节 * %2 个参数%3</translation>
    </message>
    <message>
        <source>number format</source>
        <translation>数值格式</translation>
    </message>
    <message>
        <source>Rajbhandari et al., "ZeRO", 2020; Zhao et al., "FSDP", 2023</source>
        <translation>Rajbhandari et al., "ZeRO", 2020; Zhao et al., "FSDP", 2023</translation>
    </message>
    <message>
        <source>%1 bytes * (%2 gathered layers of %3 + embedding and head %4)</source>
        <translation>%1 字节 * (%2 个聚合的层，每层 %3 + 嵌入和输出头 %4)</translation>
    </message>
    <message>
        <source>one layer in use, one fetched ahead</source>
        <translation>一层正在使用，一层预取</translation>
    </message>
    <message>
        <source>%1 bytes * (%2 layers of %3 + %4)</source>
        <translation>%1 字节 * (%2 层，每层 %3 + %4)</translation>
    </message>
    <message>
        <source>mixed precision (Micikevicius et al., 2018)</source>
        <translation>混合精度（Micikevicius et al., 2018）</translation>
    </message>
    <message>
        <source>%1 bytes * %2 parameters</source>
        <translation>%1 字节 * %2 个参数</translation>
    </message>
    <message>
        <source>quantised weights are restored layer by layer</source>
        <translation>量化权重逐层还原</translation>
    </message>
    <message>
        <source>%1 bytes * %2 layers of %3</source>
        <translation>%1 字节 * %2 层，每层 %3</translation>
    </message>
    <message>
        <source>%1 bytes * (largest layer %2 + embedding and head %3) that are trained</source>
        <translation>%1 字节 * (最大的层 %2 + 嵌入和输出头 %3)，仅计训练的部分</translation>
    </message>
    <message>
        <source>one value per trained parameter</source>
        <translation>每个训练参数一个值</translation>
    </message>
    <message>
        <source>%1 bytes * %2 trained parameters%3</source>
        <translation>%1 字节 * %2 个训练参数%3</translation>
    </message>
    <message>
        <source>embedding %1 + 3 buckets of %2</source>
        <translation>嵌入 %1 + 3 个 %2 的桶</translation>
    </message>
    <message>
        <source>+ 4 of the master</source>
        <translation>+ 4（主副本）</translation>
    </message>
    <message>
        <source>%1 bytes + 4 of the master * %2 trained parameters%3</source>
        <translation>%1 字节 + 主权重 4 字节 * %2 个训练参数%3</translation>
    </message>
    <message>
        <source>%1 bytes%2 * %3 trained parameters%4</source>
        <translation>%1 字节%2 * %3 个训练参数%4</translation>
    </message>
    <message>
        <source>%1 bytes * %2 elements of optimizer state in two slices</source>
        <translation>%1 字节 * 两个分片中的 %2 个优化器状态元素</translation>
    </message>
    <message>
        <source>Ren et al., "ZeRO-Offload", 2021</source>
        <translation>Ren et al., "ZeRO-Offload", 2021</translation>
    </message>
    <message>
        <source>gradients are copied to where the optimizer is</source>
        <translation>梯度被复制到优化器所在处</translation>
    </message>
    <message>
        <source>Rajbhandari et al., "ZeRO-Infinity", 2021</source>
        <translation>Rajbhandari et al., "ZeRO-Infinity", 2021</translation>
    </message>
    <message>
        <source>two layers on their way from the disk</source>
        <translation>正从磁盘读入的两层</translation>
    </message>
    <message>
        <source>the state of two layers on its way from the disk</source>
        <translation>正从磁盘读入的两层的状态</translation>
    </message>
    <message>
        <source>%1 bytes * %2 trained parameters + %3 * %4 frozen ones in memory</source>
        <translation>%1 字节 * %2 个训练的参数 + %3 * 内存中 %4 个冻结的参数</translation>
    </message>
    <message>
        <source>%1 bytes * %2 trained parameters</source>
        <translation>%1 字节 * %2 个训练的参数</translation>
    </message>
    <message>
        <source>%1 bytes * (layer in use %2 + layer or head that is read ahead %3) + %4 of pages</source>
        <translation>%1 字节 * (正在使用的层 %2 + 预读的层或输出头 %3) + 内存页 %4</translation>
    </message>
    <message>
        <source>%1 bytes * %2 parameters that the device map leaves on disk</source>
        <translation>%1 字节 * 设备映射留在磁盘上的 %2 个参数</translation>
    </message>
    <message>
        <source>what the operations of a block save, by its matrices and norms</source>
        <translation>块内运算所保存的内容，按其矩阵和归一化计算</translation>
    </message>
    <message>
        <source>%1 tokens * %2 micro-batches * %3 bytes of %4 blocks</source>
        <translation>%1 个 token * %2 个 micro-batch * %4 个块的 %3 字节</translation>
    </message>
    <message>
        <source>transformers computes the loss in fp32</source>
        <translation>transformers 以 fp32 计算损失</translation>
    </message>
    <message>
        <source>%1 rows * %2 bytes + %3 tokens * %4 around the head; the blocks need %5 after that</source>
        <translation>%1 行 * %2 字节 + %3 个 token * %4（输出头周围）；之后各块需要 %5</translation>
    </message>
    <message>
        <source>gradients of one block's activations during backward</source>
        <translation>反向传播时一个块的激活梯度</translation>
    </message>
    <message>
        <source>%1 tokens * %2 bytes; the head needs %3 before that</source>
        <translation>%1 个 token * %2 字节；此前输出头需要 %3</translation>
    </message>
    <message>
        <source>Chen et al., 2016; Korthikanti et al., 2022</source>
        <translation>Chen et al., 2016; Korthikanti et al., 2022</translation>
    </message>
    <message>
        <source>%1 tokens * %2 bytes of one whole block that is computed again</source>
        <translation>%1 个 token * 重新计算的一个完整块的 %2 字节</translation>
    </message>
    <message>
        <source>CUDA caching allocator: large blocks are multiples of 2 MiB</source>
        <translation>CUDA 缓存分配器：大块为 2 MiB 的倍数</translation>
    </message>
    <message>
        <source>1 MiB on average * %1 tensors</source>
        <translation>平均 1 MiB * %1 个张量</translation>
    </message>
    <message>
        <source>a pipeline of %1 layers cannot be planned: at most %2</source>
        <translation>无法规划 %1 层的流水线：最多 %2 层</translation>
    </message>
    <message>
        <source>two fp32 moments (Kingma and Ba, 2015; Loshchilov and Hutter, 2019)</source>
        <translation>两个 fp32 矩（Kingma and Ba, 2015; Loshchilov and Hutter, 2019）</translation>
    </message>
    <message>
        <source>two moments of 8 bits with an fp32 scale per 256 values (Dettmers et al., 2022)</source>
        <translation>两个 8 位矩，每 256 个值一个 fp32 缩放（Dettmers et al., 2022）</translation>
    </message>
    <message>
        <source>no state</source>
        <translation>无状态</translation>
    </message>
    <message>
        <source>one fp32 momentum</source>
        <translation>一个 fp32 动量</translation>
    </message>
    <message>
        <source>one fp32 momentum (Chen et al., 2023)</source>
        <translation>一个 fp32 动量（Chen et al., 2023）</translation>
    </message>
    <message>
        <source>one fp32 sum of squares (Duchi et al., 2011)</source>
        <translation>一个 fp32 平方和（Duchi et al., 2011）</translation>
    </message>
    <message>
        <source>one fp32 mean of squares</source>
        <translation>一个 fp32 平方均值</translation>
    </message>
    <message>
        <source>means of rows and columns, no first moment (Shazeer and Stern, 2018); an upper bound for matrices of at least 160 rows and columns</source>
        <translation>行和列的均值，无一阶矩（Shazeer and Stern, 2018）；对行数和列数至少为 160 的矩阵是上限</translation>
    </message>
    <message>
        <source>two fp32 moments</source>
        <translation>两个 fp32 矩</translation>
    </message>
    <message>
        <source>an fp32 moment and an fp32 maximum</source>
        <translation>一个 fp32 矩和一个 fp32 最大值</translation>
    </message>
    <message>
        <source>fp32 means of squares of gradients and of steps</source>
        <translation>梯度和步长的 fp32 平方均值</translation>
    </message>
    <message>
        <source>the last gradient and a step size, fp32</source>
        <translation>上一次的梯度和步长，fp32</translation>
    </message>
    <message>
        <source>an fp32 average</source>
        <translation>一个 fp32 平均值</translation>
    </message>
    <message>
        <source>one fp32 momentum (Jordan et al., 2024)</source>
        <translation>一个 fp32 动量（Jordan et al., 2024）</translation>
    </message>
    <message>
        <source>an fp32 sequence and an fp32 moment (Defazio et al., 2024)</source>
        <translation>一个 fp32 序列和一个 fp32 矩（Defazio et al., 2024）</translation>
    </message>
    <message>
        <source>an fp32 sequence (Defazio et al., 2024)</source>
        <translation>一个 fp32 序列（Defazio et al., 2024）</translation>
    </message>
    <message>
        <source>no state (Lv et al., 2024)</source>
        <translation>无状态（Lv et al., 2024）</translation>
    </message>
    <message>
        <source>means of rows and columns (Lv et al., 2024); an upper bound for matrices of at least 160 rows and columns</source>
        <translation>行和列的均值（Lv et al., 2024）；对行数和列数至少为 160 的矩阵是上限</translation>
    </message>
    <message>
        <source>samples of a micro-batch of one rank</source>
        <translation>一个 rank 的一个 micro-batch 的样本数</translation>
    </message>
    <message>
        <source>tokens of a sample</source>
        <translation>一个样本的 token 数</translation>
    </message>
    <message>
        <source>micro-batches of a step</source>
        <translation>一步的 micro-batch 数</translation>
    </message>
    <message>
        <source>number format of products</source>
        <translation>矩阵乘法的数值格式</translation>
    </message>
    <message>
        <source>weights and gradients in 16 bits, fp32 masters with the optimizer</source>
        <translation>权重和梯度为 16 位，fp32 主权重在优化器中</translation>
    </message>
    <message>
        <source>what it keeps per parameter</source>
        <translation>优化器为每个参数保存的内容</translation>
    </message>
    <message>
        <source>ranks share out optimizer state (1), gradients (2), weights (3, FSDP)</source>
        <translation>各 rank 分担优化器状态（1）、梯度（2）、权重（3，FSDP）</translation>
    </message>
    <message>
        <source>activations that backward computes again</source>
        <translation>反向传播时重新计算的激活</translation>
    </message>
    <message>
        <source>eager keeps the attention probabilities</source>
        <translation>eager 会保存注意力概率</translation>
    </message>
    <message>
        <source>logits in chunks of rows, as the engine does it</source>
        <translation>按行分块计算 logits，与引擎相同</translation>
    </message>
    <message>
        <source>where the optimizer state lies</source>
        <translation>优化器状态的存放位置</translation>
    </message>
    <message>
        <source>where the weights lie</source>
        <translation>权重的存放位置</translation>
    </message>
    <message>
        <source>LoRA on all matrices of blocks; 0: all weights are trained</source>
        <translation>在块的所有矩阵上使用 LoRA；0：训练所有权重</translation>
    </message>
    <message>
        <source>frozen weights in 4, 8 or 16 bits; 0: as trained ones</source>
        <translation>冻结的权重用 4、8 或 16 位；0：与训练的权重相同</translation>
    </message>
    <message>
        <source>averaged copies of the weights (EMA, SWA)</source>
        <translation>权重的平均副本（EMA、SWA）</translation>
    </message>
    <message>
        <source>checkpoints are written while training goes on</source>
        <translation>训练继续的同时写入 checkpoint</translation>
    </message>
    <message>
        <source>order of micro-batches on pipeline stages</source>
        <translation>流水线各 stage 上 micro-batch 的顺序</translation>
    </message>
    <message>
        <source>ranks that ZeRO or FSDP shards over</source>
        <translation>ZeRO 或 FSDP 在其间分片的 rank 数</translation>
    </message>
    <message>
        <source>tensor parallel ranks</source>
        <translation>张量并行的 rank 数</translation>
    </message>
    <message>
        <source>context parallel ranks</source>
        <translation>上下文并行的 rank 数</translation>
    </message>
    <message>
        <source>sequence parallel ranks (Ulysses)</source>
        <translation>序列并行的 rank 数（Ulysses）</translation>
    </message>
    <message>
        <source>pipeline stages</source>
        <translation>流水线 stage 数</translation>
    </message>
    <message>
        <source>expert parallel ranks, of the data ranks</source>
        <translation>专家并行的 rank 数，取自数据 rank</translation>
    </message>
    <message>
        <source>%1 is no value of a training setup%2</source>
        <translation>%1 不是训练设置中的值%2</translation>
    </message>
    <message>
        <source>%1 '%2': give one of %3</source>
        <translation>%1 '%2'：请使用 %3 之一</translation>
    </message>
    <message>
        <source>%1 '%2': give a whole number from %3 to %4</source>
        <translation>%1 '%2'：请使用 %3 到 %4 的整数</translation>
    </message>
    <message>
        <source>%1 '%2': give true or false</source>
        <translation>%1 '%2'：请使用 true 或 false</translation>
    </message>
    <message>
        <source>tp %1 does not divide %2 heads: use %3</source>
        <translation>tp %1 不能整除 %2 个头：请使用 %3</translation>
    </message>
    <message>
        <source>tp %1 does not divide %2 key and value heads: use %3</source>
        <translation>tp %1 不能整除 %2 个 key 和 value 头：请使用 %3</translation>
    </message>
    <message>
        <source>sp %1 does not divide the %2 heads of a rank: use %3</source>
        <translation>sp %1 不能整除每个 rank 的 %2 个头：请使用 %3</translation>
    </message>
    <message>
        <source>%1 pipeline stages cannot be cut from %2 layers: use at most %3</source>
        <translation>无法将 %2 层切分为 %1 个流水线 stage：最多使用 %3 个</translation>
    </message>
    <message>
        <source>a sequence of %1 tokens cannot be divided among %2 ranks: use a multiple of %3</source>
        <translation>%1 个 token 的序列无法分给 %2 个 rank：请使用 %3 的倍数</translation>
    </message>
    <message>
        <source>a sequence of %1 tokens is longer than the %2 positions of the model</source>
        <translation>%1 个 token 的序列超过模型的 %2 个位置</translation>
    </message>
    <message>
        <source>ep %1: the model has no experts, use 1</source>
        <translation>ep %1：模型没有专家，请使用 1</translation>
    </message>
    <message>
        <source>ep %1 does not divide %2 experts and %3 data ranks: use %4</source>
        <translation>ep %1 不能整除 %2 个专家和 %3 个数据 rank：请使用 %4</translation>
    </message>
    <message>
        <source>offload_param: weights are offloaded with zero_stage 3 only</source>
        <translation>offload_param：仅 zero_stage 3 时才卸载权重</translation>
    </message>
    <message>
        <source>weight_bits %1: weights of %2 bits cannot be trained, give lora_rank, too</source>
        <translation>weight_bits %1：%2 位的权重无法训练，请同时设置 lora_rank</translation>
    </message>
</context>
<context>
    <name>engine/formats</name>
    <message>
        <source>%1 is damaged at byte %2 (%3): what follows cannot be read</source>
        <translation>%1 在第 %2 字节处损坏（%3）：其后的内容无法读取</translation>
    </message>
    <message>
        <source>length checksum</source>
        <translation>长度校验和</translation>
    </message>
    <message>
        <source>data checksum</source>
        <translation>数据校验和</translation>
    </message>
    <message>
        <source>%1 is gone: what was read of it stays</source>
        <translation>%1 已不存在：已读取的内容保留</translation>
    </message>
    <message>
        <source>libcurl is not installed (Debian: libcurl4), so models of a hub cannot be looked up</source>
        <translation>未安装 libcurl（Debian：libcurl4），因此无法查找 hub 上的模型</translation>
    </message>
    <message>
        <source>%1 holds no access token: a token is one word of ASCII characters</source>
        <translation>%1 中没有访问令牌：令牌须为一个由 ASCII 字符组成的词</translation>
    </message>
    <message>
        <source>HF_ENDPOINT must be the address of a hub, such as https://huggingface.co</source>
        <translation>HF_ENDPOINT 须为 hub 的地址，例如 https://huggingface.co</translation>
    </message>
    <message>
        <source>cannot make %1: %2</source>
        <translation>无法创建 %1：%2</translation>
    </message>
    <message>
        <source>%1 is no file or folder here, and models are not looked up on a hub while HF_HUB_OFFLINE is set</source>
        <translation>此处没有名为 %1 的文件或文件夹，且设置了 HF_HUB_OFFLINE 时不会在 hub 上查找模型</translation>
    </message>
    <message>
        <source>%1 is no file or folder here, and %2 cannot be asked for a model of that name (%3): name a recipe, a config.json, weights or the folder of a model</source>
        <translation>此处没有名为 %1 的文件或文件夹，也无法向 %2 查询该名称的模型（%3）：请指定配方、config.json、权重或模型的文件夹</translation>
    </message>
    <message>
        <source>%1 is no file or folder here, and %2 has no model of that name for everybody: check the name, or set HF_TOKEN to a token that may read it</source>
        <translation>此处没有名为 %1 的文件或文件夹，%2 上也没有该名称的公开模型：请检查名称，或将 HF_TOKEN 设为有权读取它的令牌</translation>
    </message>
    <message>
        <source>%1 answered with status %2 when it was asked for %3 of %4: try again later</source>
        <translation>向 %1 请求 %4 的 %3 时返回状态 %2：请稍后重试</translation>
    </message>
    <message>
        <source>%1 of %2 is larger than such a file can be (%3 bytes)</source>
        <translation>%2 的 %1 超出此类文件可能的大小（%3 字节）</translation>
    </message>
    <message>
        <source>%1 of %2 did not arrive whole from %3: try again</source>
        <translation>从 %3 接收的 %2 的 %1 不完整：请重试</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>the header of %1 did not arrive whole from %2: try again</source>
        <translation>从 %2 接收的 %1 的文件头不完整：请重试</translation>
    </message>
    <message>
        <source>%1 on %2 has no weights of safetensors</source>
        <translation>%2 上的 %1 没有 safetensors 权重</translation>
    </message>
    <message>
        <source>%1 on %2 has no config.json and no weights of safetensors, or there is no model of that name</source>
        <translation>%2 上的 %1 没有 config.json，也没有 safetensors 权重，或没有该名称的模型</translation>
    </message>
    <message>
        <source>%1 of %2 names no files of weights, or more than %3</source>
        <translation>%2 的 %1 没有列出权重文件，或列出了超过 %3 个</translation>
    </message>
    <message>
        <source>%1 on %2 lacks %3, which its index names</source>
        <translation>%2 上的 %1 缺少其索引中列出的 %3</translation>
    </message>
    <message>
        <source>%1 holds no array</source>
        <translation>%1 中没有数组</translation>
    </message>
    <message>
        <source>%1 has no array '%2'%3</source>
        <translation>%1 中没有数组 '%2'%3</translation>
    </message>
    <message>
        <source>%1: '%2' is a single number without rows: name the arrays that you want</source>
        <translation>%1：'%2' 是单个数值，没有行：请指定所需的数组</translation>
    </message>
    <message>
        <source>%1: '%2' has %3 rows and '%4' has %5: name the arrays that belong together</source>
        <translation>%1：'%2' 有 %3 行，而 '%4' 有 %5 行：请指定属于同一组的数组</translation>
    </message>
    <message>
        <source>%1 is of type %2, which is not supported for data: name the tensors to read</source>
        <translation>%1 的类型为 %2，不支持用作数据：请指定要读取的张量</translation>
    </message>
    <message>
        <source>%1: tensor '%2'</source>
        <translation>%1：张量 '%2'</translation>
    </message>
    <message>
        <source>an unknown error</source>
        <translation>未知错误</translation>
    </message>
    <message>
        <source>column '%1': %2</source>
        <translation>列“%1”：%2</translation>
    </message>
    <message>
        <source>column '%1' is of Arrow's type '%2' inside of a list, which cannot be read: name the columns that you want</source>
        <translation>列 '%1' 在列表中的 Arrow 类型为 '%2'，无法读取：请指定所需的列</translation>
    </message>
    <message>
        <source>column '%1' is of Arrow's type '%2', which cannot be read: name the columns that you want</source>
        <translation>列 '%1' 的 Arrow 类型为 '%2'，无法读取：请指定所需的列</translation>
    </message>
    <message>
        <source>column '%1' refers to value %2 of a dictionary of %3: the file is damaged</source>
        <translation>列 '%1' 引用了字典的第 %2 个值，而字典只有 %3 个值：文件已损坏</translation>
    </message>
    <message>
        <source>column '%1' has a list outside of its values: the file is damaged</source>
        <translation>列 '%1' 有一个列表超出其值的范围：文件已损坏</translation>
    </message>
    <message>
        <source>it was not built</source>
        <translation>未构建</translation>
    </message>
    <message>
        <source>it has no entry</source>
        <translation>没有入口点</translation>
    </message>
    <message>
        <source>%1 is of another version of Trainyard</source>
        <translation>%1 属于其他版本的 Trainyard</translation>
    </message>
    <message>
        <source>%1: Parquet and Arrow files need the Arrow plug-in, which cannot be used here (%2): run packaging/pyarrow and build again, or name its file in TRAINYARD_ARROW_PLUGIN</source>
        <translation>%1：Parquet 和 Arrow 文件需要 Arrow 插件，但此处无法使用（%2）：请运行 packaging/pyarrow 并重新构建，或在 TRAINYARD_ARROW_PLUGIN 中指定其文件</translation>
    </message>
    <message>
        <source>%1 claims %2 rows in group %3: it is damaged</source>
        <translation>%1 声称第 %3 组有 %2 行：文件已损坏</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 was changed while it was being read: start again with a file that stays as it is</source>
        <translation>%1 在读取时被更改：请使用保持不变的文件重新开始</translation>
    </message>
    <message>
        <source>%1: its rows %2 to %3 cannot be read: %4</source>
        <translation>%1：无法读取第 %2 至 %3 行：%4</translation>
    </message>
    <message>
        <source>%1: its rows %2 to %3 cannot be read: there are %4 of them</source>
        <translation>%1：无法读取第 %2 至 %3 行：实际有 %4 行</translation>
    </message>
    <message>
        <source>%1: column '%2', row %3, which is row %4 of row group %5: %6: write the column as UTF-8, or as binary if it is not text</source>
        <translation>%1：列“%2”，第 %3 行，即行组 %5 的第 %4 行：%6：请以 UTF-8 写入该列，若不是文本则写为二进制</translation>
    </message>
    <message>
        <source>%1: column '%2', row %3, which is row %4 of record batch %5: %6: write the column as UTF-8, or as binary if it is not text</source>
        <translation>%1：列“%2”，第 %3 行，即记录批 %5 的第 %4 行：%6：请以 UTF-8 写入该列，若不是文本则写为二进制</translation>
    </message>
    <message>
        <source>%1 has %2 rows, and reading was to go on at row %3: it is not the file that the position is of</source>
        <translation>%1 有 %2 行，而读取应从第 %3 行继续：这不是该位置所对应的文件</translation>
    </message>
    <message>
        <source>the separator of a CSV file is a quote or a line end: choose a comma, ';', '|' or a tabulator</source>
        <translation>CSV 文件的分隔符是引号或换行符：请选择逗号、';'、'|' 或制表符</translation>
    </message>
    <message>
        <source>%1 fields, the file has %2 columns</source>
        <translation>%1 个字段，而文件有 %2 列</translation>
    </message>
    <message>
        <source>column '%1' is %2 as was asked for and '%3' is none: mend the value or ask for another type</source>
        <translation>列 '%1' 按要求为 %2，而 '%3' 不是：请修正该值或指定其他类型</translation>
    </message>
    <message>
        <source>column '%1' is %2 by the first %3 rows and '%4' is none: give its type (types: {%5: text}) or infer from more rows</source>
        <translation>根据前 %3 行，列 '%1' 为 %2，而 '%4' 不是：请指定其类型（types: {%5: text}），或根据更多行推断</translation>
    </message>
    <message>
        <source>%1 is empty: a CSV file begins with the names of its columns</source>
        <translation>%1 为空：CSV 文件须以列名开头</translation>
    </message>
    <message>
        <source>Unnamed: %1</source>
        <translation>Unnamed: %1</translation>
    </message>
    <message>
        <source>column '%1' is there twice: give other names</source>
        <translation>列 '%1' 出现了两次：请使用其他名称</translation>
    </message>
    <message>
        <source>%1 has %2 columns and %3 names were given</source>
        <translation>%1 有 %2 列，而给出了 %3 个名称</translation>
    </message>
    <message>
        <source>%1 has no column '%2', whose type was given%3</source>
        <translation>%1 中没有已指定类型的列 '%2'%3</translation>
    </message>
    <message>
        <source>the quote that opens this field is not closed</source>
        <translation>此字段开头的引号没有闭合</translation>
    </message>
    <message>
        <source>text behind the quote that closes a field: double quotes inside of a field</source>
        <translation>字段的结束引号之后还有文本：字段内的引号须写成两个</translation>
    </message>
    <message>
        <source>a quote inside of a field without quotes: put the field in quotes and double this one</source>
        <translation>未加引号的字段中含有引号：请为该字段加引号，并将此引号写成两个</translation>
    </message>
    <message>
        <source>a line end inside of a field without quotes: put the field in quotes, or end all lines in the same way</source>
        <translation>未加引号的字段中有换行符：请给字段加引号，或让所有行使用相同的换行符</translation>
    </message>
    <message>
        <source>%1 is more than 32 folders deep: is there a circle of links?</source>
        <translation>%1 的深度超过 32 层文件夹：链接是否形成了循环？</translation>
    </message>
    <message>
        <source>%1 cannot be read as an image: %2</source>
        <translation>无法将 %1 作为图像读取：%2</translation>
    </message>
    <message>
        <source>it claims %1 x %2 pixels, more than the %3 that are allowed</source>
        <translation>其声称有 %1 x %2 像素，超过允许的 %3</translation>
    </message>
    <message>
        <source>it is neither PNG nor JPEG</source>
        <translation>既不是 PNG 也不是 JPEG</translation>
    </message>
    <message>
        <source>it has %1</source>
        <translation>其大小为 %1</translation>
    </message>
    <message>
        <source>cannot read the images of %1: %2</source>
        <translation>无法读取 %1 中的图像：%2</translation>
    </message>
    <message>
        <source>%1 has no sub-folders: put the images of each class in a folder with the class's name</source>
        <translation>%1 没有子文件夹：请将每个类别的图像放入以该类别命名的文件夹</translation>
    </message>
    <message>
        <source>%1: there is no image (.png .jpg .jpeg) in the class folder %2</source>
        <translation>%1：类别文件夹 %2 中没有图像（.png .jpg .jpeg）</translation>
    </message>
    <message>
        <source>%1: there is no image (.png .jpg .jpeg) in the class folders %2</source>
        <translation>%1：类别文件夹 %2 中没有图像（.png .jpg .jpeg）</translation>
    </message>
    <message>
        <source>its colours are of an unknown kind</source>
        <translation>其颜色类型未知</translation>
    </message>
    <message>
        <source>a picture of %1 x %2 pixels and %3 channels cannot be written as PNG: give it 1 or 3 channels, and at least one pixel</source>
        <translation>%1 x %2 像素、%3 个通道的图像无法写为 PNG：须有 1 或 3 个通道，且至少有一个像素</translation>
    </message>
    <message>
        <source>a picture cannot be written as PNG: %1</source>
        <translation>无法将图像写为 PNG：%1</translation>
    </message>
    <message>
        <source>this line begins a list, and JSON Lines has an object in each line: write one object per line</source>
        <translation>此行以列表开头，而 JSON Lines 每行是一个对象：请每行写一个对象</translation>
    </message>
    <message>
        <source>this line is not valid JSON: %1</source>
        <translation>此行不是有效的 JSON：%1</translation>
    </message>
    <message>
        <source>this line is not a JSON object ({...})</source>
        <translation>此行不是 JSON 对象（{...}）</translation>
    </message>
    <message>
        <source>%1: the member '%2' inside of an object has the name of another one: name the columns that you want</source>
        <translation>%1：对象内的成员 '%2' 与另一个成员同名：请指定所需的列</translation>
    </message>
    <message>
        <source>%1 has no member '%2', whose type was given%3</source>
        <translation>%1 中没有已指定类型的成员 '%2'%3</translation>
    </message>
    <message>
        <source>%1 has no member '%2' in its first %3 rows%4</source>
        <translation>%1 的前 %3 行中没有成员 '%2'%4</translation>
    </message>
    <message>
        <source>the member '%1' is in none of the first %2 rows: name the columns that you want or infer from more rows</source>
        <translation>成员 '%1' 不在前 %2 行中：请指定所需的列，或根据更多行推断</translation>
    </message>
    <message>
        <source>the member '%1' is an object in the first %2 rows and none here</source>
        <translation>成员 '%1' 在前 %2 行中是对象，而此处不是</translation>
    </message>
    <message>
        <source>the member '%1' is there twice</source>
        <translation>成员 '%1' 出现了两次</translation>
    </message>
    <message>
        <source>the member '%1' is a list of %2 as was asked for and is not here: mend the value or ask for another type</source>
        <translation>成员 '%1' 按要求为 %2 的列表，而此处不是：请修正该值或指定其他类型</translation>
    </message>
    <message>
        <source>the member '%1' is a list of %2 by the first %3 rows and is not here: give its type (types: {%4: float64}) or infer from more rows</source>
        <translation>根据前 %3 行，成员 '%1' 为 %2 的列表，而此处不是：请指定其类型（types: {%4: float64}），或根据更多行推断</translation>
    </message>
    <message>
        <source>the member '%1' is %2 as was asked for and is not here: mend the value or ask for another type</source>
        <translation>成员 '%1' 按要求为 %2，而此处不是：请修正该值或指定其他类型</translation>
    </message>
    <message>
        <source>the member '%1' is %2 by the first %3 rows and is not here: give its type (types: {%4: float64}) or infer from more rows</source>
        <translation>根据前 %3 行，成员 '%1' 为 %2，而此处不是：请指定其类型（types: {%4: float64}），或根据更多行推断</translation>
    </message>
    <message>
        <source>'%1' does not split data: give up to three numbers for training, validation and test, e.g. 969,30,1</source>
        <translation>'%1' 无法用于划分数据：请给出至多三个数，分别用于训练、验证和测试，例如 969,30,1</translation>
    </message>
    <message>
        <source>%1: sequences %2 to %3 have no tokens</source>
        <translation>%1：第 %2 至 %3 个序列没有 token</translation>
    </message>
    <message>
        <source>%1 samples need %2 epochs of %3: ask for fewer</source>
        <translation>%1 个样本需要 %3 的 %2 个 epoch：请减少数量</translation>
    </message>
    <message>
        <source>%1: sequences %2 to %3 have %4 tokens, too few for one sample of %5: add data or shorten the samples</source>
        <translation>%1：第 %2 至 %3 个序列有 %4 个 token，不足一个 %5 个 token 的样本：请增加数据或缩短样本</translation>
    </message>
    <message>
        <source>%1 is not a valid weight of a data set: give numbers of at least 0</source>
        <translation>%1 不是有效的数据集权重：请使用不小于 0 的数</translation>
    </message>
    <message>
        <source>the weights of a blend of data sets have no sum above 0: give each set a weight</source>
        <translation>混合数据集的权重之和不大于 0：请为每个数据集指定权重</translation>
    </message>
    <message>
        <source>%1 is not a valid index of an indexed set: %2</source>
        <translation>%1 不是索引数据集的有效索引：%2</translation>
    </message>
    <message>
        <source>it does not begin with MMIDIDX (older kinds of indexes cannot be read: write the set again)</source>
        <translation>不以 MMIDIDX 开头（无法读取较旧的索引类型：请重新写出数据集）</translation>
    </message>
    <message>
        <source>it is of version %1, known is 1</source>
        <translation>其版本为 %1，已知的是 1</translation>
    </message>
    <message>
        <source>its type code is %1, known are 1 to 8</source>
        <translation>其类型代码为 %1，已知的是 1 到 8</translation>
    </message>
    <message>
        <source>it claims %1 sequences and %2 documents, too many for its %3 bytes</source>
        <translation>其声称有 %1 个序列和 %2 个文档，超出其 %3 字节的容量</translation>
    </message>
    <message>
        <source>%1 bytes stand behind its last number</source>
        <translation>其最后一个数之后还有 %1 字节</translation>
    </message>
    <message>
        <source>%1: sequence %2 (%3 tokens at byte %4) does not lie in the %5 bytes of %6: one of the two files is cut off or belongs to another set</source>
        <translation>%1：第 %2 个序列（%3 个 token，位于字节 %4）不在 %6 的 %5 字节之内：两个文件之一被截断或属于其他数据集</translation>
    </message>
    <message>
        <source>document %1 begins at sequence %2, which is none of its %3</source>
        <translation>第 %1 个文档从第 %2 个序列开始，而序列共 %3 个</translation>
    </message>
    <message>
        <source>%1 holds %2 numbers, and tokens are whole ones</source>
        <translation>%1 中的数为 %2，而 token 须为整数</translation>
    </message>
    <message>
        <source>an indexed set of %1 cannot be written: tokens are uint8, int8, int16, uint16, int32 or int64</source>
        <translation>无法写出 %1 的索引数据集：token 须为 uint8、int8、int16、uint16、int32 或 int64</translation>
    </message>
    <message>
        <source>a sequence of %1 tokens is too long for an indexed set</source>
        <translation>%1 个 token 的序列对于索引数据集过长</translation>
    </message>
    <message>
        <source>token %1 does not fit %2: choose a wider type for %3</source>
        <translation>token %1 超出 %2 的范围：请为 %3 选择更宽的类型</translation>
    </message>
    <message>
        <source>Wall time</source>
        <translation>Wall time</translation>
    </message>
    <message>
        <source>%4d-%2d-%2d%*1[T ]%2d:%2d:%lf%n</source>
        <translation>%4d-%2d-%2d%*1[T ]%2d:%2d:%lf%n</translation>
    </message>
    <message>
        <source>it holds structures (records with named fields): store each field as an array of its own</source>
        <translation>其中为结构体（带命名字段的记录）：请将每个字段保存为单独的数组</translation>
    </message>
    <message>
        <source>its header has an entry '%1' that does not belong there</source>
        <translation>文件头中有不应存在的条目 '%1'</translation>
    </message>
    <message>
        <source>its header is not a dictionary</source>
        <translation>文件头不是字典</translation>
    </message>
    <message>
        <source>there is text behind its header</source>
        <translation>文件头之后还有文本</translation>
    </message>
    <message>
        <source>its header lacks one of descr, fortran_order and shape</source>
        <translation>文件头缺少 descr、fortran_order 和 shape 之一</translation>
    </message>
    <message>
        <source>%1 is not a valid array file: %2</source>
        <translation>%1 不是有效的数组文件：%2</translation>
    </message>
    <message>
        <source>its header is not a dictionary with text keys</source>
        <translation>文件头不是以文本为键的字典</translation>
    </message>
    <message>
        <source>a text in its header is not closed</source>
        <translation>文件头中有文本没有闭合</translation>
    </message>
    <message>
        <source>a text in its header has an escape</source>
        <translation>文件头中的文本含有转义</translation>
    </message>
    <message>
        <source>fortran_order is neither True nor False</source>
        <translation>fortran_order 既不是 True 也不是 False</translation>
    </message>
    <message>
        <source>a number of its shape is too large</source>
        <translation>其形状中有一个数过大</translation>
    </message>
    <message>
        <source>its shape is not a tuple of numbers</source>
        <translation>其形状不是由数组成的元组</translation>
    </message>
    <message>
        <source>it has more than 64 dimensions</source>
        <translation>其维度超过 64</translation>
    </message>
    <message>
        <source>it holds Python objects, which cannot be read without running them: store numbers</source>
        <translation>其中为 Python 对象，不执行便无法读取：请保存数值</translation>
    </message>
    <message>
        <source>its type is '%1': numbers (b1, i1-i8, u1-u8, f2-f8) can be read</source>
        <translation>其类型为 '%1'：可读取的是数值（b1、i1-i8、u1-u8、f2-f8）</translation>
    </message>
    <message>
        <source>%1 is not a NumPy array: %2</source>
        <translation>%1 不是 NumPy 数组：%2</translation>
    </message>
    <message>
        <source>it does not begin as one</source>
        <translation>开头不符</translation>
    </message>
    <message>
        <source>it is of an unknown version</source>
        <translation>版本未知</translation>
    </message>
    <message>
        <source>its header claims more than a megabyte</source>
        <translation>文件头声称的大小超过 1 MB</translation>
    </message>
    <message>
        <source>%1 is compressed and needs %2 bytes of memory, more than memory_limit: store it with numpy.savez, which is read in pieces</source>
        <translation>%1 经过压缩，需要 %2 字节内存，超过 memory_limit：请用 numpy.savez 保存，以便分块读取</translation>
    </message>
    <message>
        <source>its header is cut off</source>
        <translation>文件头被截断</translation>
    </message>
    <message>
        <source>its shape is too large</source>
        <translation>其形状过大</translation>
    </message>
    <message>
        <source>its shape (%1) needs %2 bytes and the file has %3: it is cut off or lies</source>
        <translation>其形状（%1）需要 %2 字节，而文件有 %3：文件被截断或内容不实</translation>
    </message>
    <message>
        <source>%1 cannot be written: NumPy has no type %2</source>
        <translation>无法写入 %1：NumPy 没有类型 %2</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, and reading was to go on at byte %3: it is not the file that the position is of</source>
        <translation>%1 有 %2 字节，而读取应从第 %3 字节继续：这不是该位置所对应的文件</translation>
    </message>
    <message>
        <source>%1: the record at byte %2 is longer than %3: raise record_limit unless the file is damaged</source>
        <translation>%1：字节 %2 处的记录长于 %3：若文件未损坏，请增大 record_limit</translation>
    </message>
    <message>
        <source>%1 has fewer rows than when it was counted: it was changed while it was read</source>
        <translation>%1 的行数少于计数时：文件在读取时被更改</translation>
    </message>
    <message>
        <source>%1 is not a regular file: give a data file</source>
        <translation>%1 不是普通文件：请指定数据文件</translation>
    </message>
    <message>
        <source>%1 ends at byte %2, it had %3 bytes when it was opened: it was changed or cut while it was being read, start again with a file that stays as it is</source>
        <translation>%1 在字节 %2 处结束，打开时有 %3 字节：文件在读取时被更改或截断，请使用保持不变的文件重新开始</translation>
    </message>
    <message>
        <source>%1 is cut off: %2 bytes at %3 were to be read, it has %4</source>
        <translation>%1 被截断：要在 %3 处读取 %2 字节，而文件有 %4</translation>
    </message>
    <message>
        <source>there is no type '%1'%2</source>
        <translation>没有类型 '%1'%2</translation>
    </message>
    <message>
        <source>%1: list of %2</source>
        <translation>%1：%2 的列表</translation>
    </message>
    <message>
        <source>there is no column '%1'%2</source>
        <translation>没有列 '%1'%2</translation>
    </message>
    <message>
        <source>%1 has %2, and a whole file may have %3: raise record_limit or read its lines</source>
        <translation>%1 的大小为 %2，而整个文件上限为 %3：请增大 record_limit 或按行读取</translation>
    </message>
    <message>
        <source>%1: its extension does not identify the data format (known: %2): set the format</source>
        <translation>%1：其扩展名无法确定数据格式（已知：%2）：请设置格式</translation>
    </message>
    <message>
        <source>there is no data format '%1'%2</source>
        <translation>没有数据格式 '%1'%2</translation>
    </message>
    <message>
        <source>has the ending of a data format</source>
        <translation>具有数据格式的扩展名</translation>
    </message>
    <message>
        <source>%1 holds no file that has the ending of a data format and is not empty</source>
        <translation>%1 中没有具有数据格式扩展名且非空的文件</translation>
    </message>
    <message>
        <source>%1 holds no file that matches '%2' and is not empty</source>
        <translation>%1 中没有匹配 '%2' 且非空的文件</translation>
    </message>
    <message>
        <source>no file that is not empty matches %1</source>
        <translation>没有匹配 %1 且非空的文件</translation>
    </message>
    <message>
        <source>no data was named: name files or folders</source>
        <translation>未指定数据：请指定文件或文件夹</translation>
    </message>
    <message>
        <source>%1 has other columns than %2: %3: give all files the same columns</source>
        <translation>%1 的列与 %2 不同：%3：请让所有文件具有相同的列</translation>
    </message>
    <message>
        <source>no files of data were named</source>
        <translation>未指定数据文件</translation>
    </message>
    <message>
        <source>column '%1' is missing</source>
        <translation>缺少列“%1”</translation>
    </message>
    <message>
        <source>%1 there and %2 here</source>
        <translation>那里是 %1，这里是 %2</translation>
    </message>
    <message>
        <source>column '%1' is not there</source>
        <translation>那里没有列“%1”</translation>
    </message>
    <message>
        <source>the data set has %1 files, and reading was to go on in file %2: it is not the set that the position is of</source>
        <translation>数据集有 %1 个文件，而读取应从第 %2 个文件继续：这不是该位置所对应的数据集</translation>
    </message>
    <message>
        <source>%1 was changed since the checkpoint was saved, so that reading cannot go on at its place: bring back the old file, or begin the epoch again</source>
        <translation>%1 在保存 checkpoint 之后被更改，无法从原位置继续读取：请恢复原来的文件，或重新开始此 epoch</translation>
    </message>
    <message>
        <source>%1 is not a valid ZIP archive</source>
        <translation>%1 不是有效的 ZIP 归档</translation>
    </message>
    <message>
        <source>'%1' is damaged: %2</source>
        <translation>'%1' 已损坏：%2</translation>
    </message>
    <message>
        <source>'%1' is damaged: its bytes are not deflate data</source>
        <translation>'%1' 已损坏：其字节不是 deflate 数据</translation>
    </message>
    <message>
        <source>'%1' has %2 bytes, its directory says %3</source>
        <translation>'%1' 有 %2 字节，而目录记录为 %3</translation>
    </message>
    <message>
        <source>the checksum of '%1' differs: the file is damaged</source>
        <translation>'%1' 的校验和不符：文件已损坏</translation>
    </message>
    <message>
        <source>%1 must be an object of tokens and their ids</source>
        <translation>%1 必须是由 token 及其 ID 组成的对象</translation>
    </message>
    <message>
        <source>%1: the id of '%2' must be a number from 0 to 268435455</source>
        <translation>%1：'%2' 的 ID 必须是 0 到 268435455 的数</translation>
    </message>
    <message>
        <source>%1: merge %2 of '%3' and '%4' needs the token '%5', which the vocabulary lacks</source>
        <translation>%1：'%3' 与 '%4' 的合并 %2 需要 token '%5'，而词表中没有它</translation>
    </message>
    <message>
        <source>the vocabulary lacks unk_token '%1', which a text needs</source>
        <translation>词表中没有 unk_token '%1'，而某个文本需要它</translation>
    </message>
    <message>
        <source>%1: model</source>
        <translation>%1：model</translation>
    </message>
    <message>
        <source>%1.dropout gives other tokens at each use, which Trainyard does not do: set it to null</source>
        <translation>%1.dropout 会使每次得到的 token 不同，Trainyard 不支持：请设为 null</translation>
    </message>
    <message>
        <source>%1.merges: entry %2 must be two tokens, as a list or with one blank between them</source>
        <translation>%1.merges：条目 %2 必须是两个 token，写成列表或以一个空格分隔</translation>
    </message>
    <message>
        <source>an object of tokens and their ids</source>
        <translation>由 token 及其 ID 组成的对象</translation>
    </message>
    <message>
        <source>a byte-level vocabulary has at least %1 tokens: 256 bytes and %2 special ones</source>
        <translation>字节级词表至少有 %1 个 token：256 个字节和 %2 个特殊 token</translation>
    </message>
    <message>
        <source>the tokenizer to be trained</source>
        <translation>待训练的分词器</translation>
    </message>
    <message>
        <source>%1 is not base64</source>
        <translation>%1 不是 base64</translation>
    </message>
    <message>
        <source>%1 is damaged: it is too short</source>
        <translation>%1 已损坏：长度过短</translation>
    </message>
    <message>
        <source>%1 is damaged: its trie is said to be longer than it is</source>
        <translation>%1 已损坏：其 trie 声明的长度超过数据本身</translation>
    </message>
    <message>
        <source>do not</source>
        <translation>do not</translation>
    </message>
    <message>
        <source>one character</source>
        <translation>一个字符</translation>
    </message>
    <message>
        <source>%1: the decoder '%2' is not known</source>
        <translation>%1：解码器 '%2' 未知</translation>
    </message>
    <message>
        <source>%1: decoder</source>
        <translation>%1：decoder</translation>
    </message>
    <message>
        <source>truncation: stride %1 must be less than max_length, of which %2 are left beside special tokens</source>
        <translation>截断：stride %1 必须小于 max_length，其中除特殊 token 外还剩 %2</translation>
    </message>
    <message>
        <source>%1: '%2' must be %3</source>
        <translation>%1：'%2' 必须是：%3</translation>
    </message>
    <message>
        <source>a number from 0 to 2147483647</source>
        <translation>0 到 2147483647 的数</translation>
    </message>
    <message>
        <source>%1 must be an object with a 'type'</source>
        <translation>%1 必须是含 'type' 的对象</translation>
    </message>
    <message>
        <source>%1: the normalizer '%2' is not known</source>
        <translation>%1：规范化器 '%2' 未知</translation>
    </message>
    <message>
        <source>%1: normalizer</source>
        <translation>%1：normalizer</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>一个对象</translation>
    </message>
    <message>
        <source>the template of the post-processor needs a second text</source>
        <translation>后处理器的模板需要第二个文本</translation>
    </message>
    <message>
        <source>%1 must be {"Sequence": ...} or {"SpecialToken": ...}</source>
        <translation>%1 必须是 {"Sequence": ...} 或 {"SpecialToken": ...}</translation>
    </message>
    <message>
        <source>%1: '%2' is not among special_tokens</source>
        <translation>%1：special_tokens 中没有 '%2'</translation>
    </message>
    <message>
        <source>%1: ids and tokens of '%2' do not go together</source>
        <translation>%1：'%2' 的 ID 与 token 不对应</translation>
    </message>
    <message>
        <source>a list of a token and its id</source>
        <translation>由一个 token 及其 ID 组成的列表</translation>
    </message>
    <message>
        <source>%1: the post-processor '%2' is not known</source>
        <translation>%1：后处理器 '%2' 未知</translation>
    </message>
    <message>
        <source>Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous</source>
        <translation>Removed、Isolated、MergedWithPrevious、MergedWithNext 或 Contiguous</translation>
    </message>
    <message>
        <source>always, first or never</source>
        <translation>always、first 或 never</translation>
    </message>
    <message>
        <source>at least 1</source>
        <translation>至少 1</translation>
    </message>
    <message>
        <source>%1: the pre-tokenizer '%2' is not known</source>
        <translation>%1：预分词器 '%2' 未知</translation>
    </message>
    <message>
        <source>%1 must be an object</source>
        <translation>%1 必须是对象</translation>
    </message>
    <message>
        <source>%1: truncation</source>
        <translation>%1：truncation</translation>
    </message>
    <message>
        <source>%1: padding</source>
        <translation>%1：padding</translation>
    </message>
    <message>
        <source>a text of 4 GiB or more cannot be tokenized at once: divide it</source>
        <translation>4 GiB 或更大的文本无法一次分词：请拆分</translation>
    </message>
    <message>
        <source>the text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>truncation: max_length %1 is less than the %2 special tokens that are added</source>
        <translation>截断：max_length %1 小于要添加的 %2 个特殊 token</translation>
    </message>
    <message>
        <source>truncation: the strategy OnlySecond needs a second text</source>
        <translation>截断：策略 OnlySecond 需要第二个文本</translation>
    </message>
    <message>
        <source>truncation: the second text has %1 tokens, and %2 would have to go</source>
        <translation>截断：第二个文本有 %1 个 token，需去掉 %2 个</translation>
    </message>
    <message>
        <source>truncation: the first text has %1 tokens, and %2 would have to go</source>
        <translation>截断：第一个文本有 %1 个 token，需去掉 %2 个</translation>
    </message>
    <message>
        <source>%1 is not JSON: %2</source>
        <translation>%1 不是 JSON：%2</translation>
    </message>
    <message>
        <source>%1 must be an object with a 'model': is this a tokenizer.json?</source>
        <translation>%1 必须是含 'model' 的对象：这是 tokenizer.json 吗？</translation>
    </message>
    <message>
        <source>%1 is not UTF-8: byte %2 is 0x%3</source>
        <translation>%1 不是 UTF-8：第 %2 字节为 0x%3</translation>
    </message>
    <message>
        <source>%1.vocab: entry %2 must be a list of a piece and its score</source>
        <translation>%1.vocab：条目 %2 必须是由片段及其分数组成的列表</translation>
    </message>
    <message>
        <source>%1.unk_id is %2, and the vocabulary has %3 pieces</source>
        <translation>%1.unk_id 为 %2，而词表有 %3 个片段</translation>
    </message>
    <message>
        <source>the vocabulary has no unk_id, which a text needs</source>
        <translation>词表没有 unk_id，而某个文本需要它</translation>
    </message>
    <message>
        <source>%1: 'model' must be an object: is this a tokenizer.json?</source>
        <translation>%1：'model' 必须是对象：这是 tokenizer.json 吗？</translation>
    </message>
    <message>
        <source>%1.type '%2' is not known: it is BPE, Unigram, WordPiece or WordLevel</source>
        <translation>%1.type '%2' 未知：应为 BPE、Unigram、WordPiece 或 WordLevel</translation>
    </message>
    <message>
        <source>%1 is cut: a chunk of '%2' ends behind it (at byte %3 of %4)</source>
        <translation>%1 被截断：'%2' 的一个块超出文件末尾（止于第 %3 字节，共 %4 字节）</translation>
    </message>
    <message>
        <source>%1 ('%2' at byte %3)</source>
        <translation>%1（'%2'，位于字节 %3）</translation>
    </message>
    <message>
        <source>%1 is damaged: there is no tensor</source>
        <translation>%1 已损坏：其中没有张量</translation>
    </message>
    <message>
        <source>%1 is damaged: the tensor there has another shape or dtype than the list says</source>
        <translation>%1 已损坏：其中张量的形状或 dtype 与列表所述不同</translation>
    </message>
    <message>
        <source>%1 is damaged: '%2' needs %3 bytes and its chunks have %4</source>
        <translation>%1 已损坏：'%2' 需要 %3 字节，而它的块只有 %4 字节</translation>
    </message>
    <message>
        <source>it lists no tensors or no places of them</source>
        <translation>其中没有列出张量或张量的位置</translation>
    </message>
    <message>
        <source>the name '%1' is there twice</source>
        <translation>名称 '%1' 出现两次</translation>
    </message>
    <message>
        <source>%1 is not valid metadata of a distributed checkpoint: %2</source>
        <translation>%1 不是有效的分布式 checkpoint 元数据：%2</translation>
    </message>
    <message>
        <source>a name is missing, too long, or no text</source>
        <translation>某个名称缺失、过长或不是文本</translation>
    </message>
    <message>
        <source>the place of '%1' is negative or no number</source>
        <translation>'%1' 的位置为负数或不是数字</translation>
    </message>
    <message>
        <source>the file '%1' of '%2' leaves the folder</source>
        <translation>'%2' 的文件 '%1' 超出了文件夹范围</translation>
    </message>
    <message>
        <source>'%1' is stored compressed, which is not read: save the checkpoint without it</source>
        <translation>'%1' 以压缩方式存储，无法读取：请不带压缩保存 checkpoint</translation>
    </message>
    <message>
        <source>a chunk of '%1' is there twice</source>
        <translation>'%1' 的某个块出现两次</translation>
    </message>
    <message>
        <source>the keys of an entry are nested too deeply</source>
        <translation>某个条目的键嵌套过深</translation>
    </message>
    <message>
        <source>'%1' has no sound shape, chunks or properties</source>
        <translation>'%1' 的形状、块或属性无效</translation>
    </message>
    <message>
        <source>a chunk of '%1' has no sound offset or size</source>
        <translation>'%1' 的某个块的偏移或大小无效</translation>
    </message>
    <message>
        <source>the place of a chunk of '%1' is missing</source>
        <translation>'%1' 的某个块缺少位置</translation>
    </message>
    <message>
        <source>'%1' has no dtype</source>
        <translation>'%1' 没有 dtype</translation>
    </message>
    <message>
        <source>the shape of '%1' is too large</source>
        <translation>'%1' 的形状过大</translation>
    </message>
    <message>
        <source>a chunk of '%1' reaches beyond its shape</source>
        <translation>'%1' 的某个块超出其形状</translation>
    </message>
    <message>
        <source>the chunks of '%1' overlap</source>
        <translation>'%1' 的各块相互重叠</translation>
    </message>
    <message>
        <source>the chunks of '%1' do not cover it</source>
        <translation>'%1' 的各块未完全覆盖它</translation>
    </message>
    <message>
        <source>'%1' is cut in too irregular a way</source>
        <translation>'%1' 的切分方式过于不规则</translation>
    </message>
    <message>
        <source>there is no tensor %1experts.%2.%3.weight, so the experts of this block are not complete</source>
        <translation>缺少张量 %1experts.%2.%3.weight，因此该块的专家不完整</translation>
    </message>
    <message>
        <source>%1 is %2 [%3] and %4 is %5 [%6]: experts that are written as one tensor must be alike</source>
        <translation>%1 为 %2 [%3]，而 %4 为 %5 [%6]：写成一个张量的各专家必须相同</translation>
    </message>
    <message>
        <source>%1 [%2] and %3 [%4] are not the experts of a block: expected [experts, 2 * inner, hidden] and [experts, hidden, inner]</source>
        <translation>%1 [%2] 和 %3 [%4] 不是一个块的专家：应为 [experts, 2 * inner, hidden] 和 [experts, hidden, inner]</translation>
    </message>
    <message>
        <source>it does not begin with GGUF</source>
        <translation>文件不以 GGUF 开头</translation>
    </message>
    <message>
        <source>its numbers have the highest byte first: convert it on a machine of the usual byte order</source>
        <translation>其中的数采用大端字节序：请在常见字节序的机器上转换</translation>
    </message>
    <message>
        <source>it has version %1, and 2 and 3 can be read</source>
        <translation>其版本为 %1，可读取的版本为 2 和 3</translation>
    </message>
    <message>
        <source>the key '%1' is there twice</source>
        <translation>键 '%1' 出现两次</translation>
    </message>
    <message>
        <source>its alignment %1 is no power of two up to 1 MiB</source>
        <translation>其对齐值 %1 不是不超过 1 MiB 的 2 的幂</translation>
    </message>
    <message>
        <source>%1 is not a whole GGUF file: %2</source>
        <translation>%1 不是完整的 GGUF 文件：%2</translation>
    </message>
    <message>
        <source>its header ends behind byte %1: the file is cut</source>
        <translation>其文件头超出第 %1 字节：文件被截断</translation>
    </message>
    <message>
        <source>a text in its header is longer than 1 GiB</source>
        <translation>文件头中的某个文本超过 1 GiB</translation>
    </message>
    <message>
        <source>the value of '%1' has the unknown type %2</source>
        <translation>'%1' 的值类型 %2 未知</translation>
    </message>
    <message>
        <source>a value in its header has an unknown type</source>
        <translation>文件头中某个值的类型未知</translation>
    </message>
    <message>
        <source>a list in its header is nested too deeply</source>
        <translation>文件头中的某个列表嵌套过深</translation>
    </message>
    <message>
        <source>[%1, ...] (%2 items)</source>
        <translation>[%1, ...]（%2 项）</translation>
    </message>
    <message>
        <source>tensor '%1' has %2 dimensions</source>
        <translation>张量 '%1' 有 %2 个维度</translation>
    </message>
    <message>
        <source>tensor '%1' has a shape that is too large</source>
        <translation>张量 '%1' 的形状过大</translation>
    </message>
    <message>
        <source>type %1</source>
        <translation>类型 %1</translation>
    </message>
    <message>
        <source>tensor '%1' has rows of %2 elements, no multiple of the %3 of a block of %4</source>
        <translation>张量 '%1' 的每行有 %2 个元素，不是 %4 块大小 %3 的倍数</translation>
    </message>
    <message>
        <source>tensor '%1' does not begin at a multiple of %2</source>
        <translation>张量 '%1' 的起点不是 %2 的倍数</translation>
    </message>
    <message>
        <source>tensor '%1' ends behind the %2 bytes of the file: it is cut</source>
        <translation>张量 '%1' 超出文件的 %2 字节：文件被截断</translation>
    </message>
    <message>
        <source>tensors '%1' and '%2' overlap</source>
        <translation>张量 '%1' 和 '%2' 重叠</translation>
    </message>
    <message>
        <source>%1 is a file: name a folder for the result</source>
        <translation>%1 是文件：请为结果指定文件夹</translation>
    </message>
    <message>
        <source>%1 lies in the checkpoint it is made from: name another folder</source>
        <translation>%1 位于其来源 checkpoint 中：请指定其他文件夹</translation>
    </message>
    <message>
        <source>%1 is a file: name the folder it lies in</source>
        <translation>%1 是文件：请指定其所在的文件夹</translation>
    </message>
    <message>
        <source>the weights are written to %1, but %2 cannot be removed: %3</source>
        <translation>权重已写入 %1，但无法移除 %2：%3</translation>
    </message>
    <message>
        <source>'%1' is not a size: give a number and a unit, such as 5GB or 500MiB</source>
        <translation>'%1' 不是大小：请给出数字和单位，例如 5GB 或 500MiB</translation>
    </message>
    <message>
        <source>%1 became shorter while it was read</source>
        <translation>读取过程中 %1 变短了</translation>
    </message>
    <message>
        <source>%1: the entry '%2' is not one of an offloaded weight: it needs dtype and shape</source>
        <translation>%1：条目 '%2' 不属于任何已卸载的权重：它需要 dtype 和 shape</translation>
    </message>
    <message>
        <source>offload folder</source>
        <translation>卸载文件夹</translation>
    </message>
    <message>
        <source>%1: '%2' is no name of a tensor</source>
        <translation>%1：'%2' 不是张量名称</translation>
    </message>
    <message>
        <source>%1 is missing, though %2 names '%3'</source>
        <translation>缺少 %1，但 %2 中列有 '%3'</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, and its entry in %3 needs %4</source>
        <translation>%1 有 %2 字节，而它在 %3 中的条目需要 %4 字节</translation>
    </message>
    <message>
        <source>%1 has no tensor '%2', though %3 says so</source>
        <translation>%1 中没有张量 '%2'，但 %3 称其存在</translation>
    </message>
    <message>
        <source>%1: '%2' is stored as %3 and asked for as %4</source>
        <translation>%1：'%2' 存储为 %3，请求的却是 %4</translation>
    </message>
    <message>
        <source>%1 is a file: name a folder for offloaded weights</source>
        <translation>%1 是文件：请为卸载的权重指定文件夹</translation>
    </message>
    <message>
        <source>'%1' cannot be a file's name, which offloading to %2 needs</source>
        <translation>'%1' 不能用作文件名，而卸载到 %2 需要它作为文件名</translation>
    </message>
    <message>
        <source>it ends without its end mark</source>
        <translation>文件末尾没有结束标记</translation>
    </message>
    <message>
        <source>it is of protocol %1, and only 2 to 5 are read</source>
        <translation>其协议为 %1，只能读取 2 到 5</translation>
    </message>
    <message>
        <source>it announces a frame of %1 bytes where %2 are left</source>
        <translation>其中声明了 %1 字节的帧，但只剩 %2 字节</translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>it names a global by something other than text</source>
        <translation>以非文本的内容指定全局名称</translation>
    </message>
    <message>
        <source>it makes an object in a way that torch.save never does</source>
        <translation>创建对象的方式是 torch.save 从不使用的</translation>
    </message>
    <message>
        <source>it gives a state to something that has none</source>
        <translation>为没有状态的对象设置了状态</translation>
    </message>
    <message>
        <source>its instruction 0x%1 is unknown or never written by torch.save</source>
        <translation>其中的指令 0x%1 未知，或 torch.save 从不写出</translation>
    </message>
    <message>
        <source>it takes more than it gave</source>
        <translation>取出的内容多于放入的内容</translation>
    </message>
    <message>
        <source>it takes entry %1 of its memory, which is empty</source>
        <translation>读取的记忆条目 %1 为空</translation>
    </message>
    <message>
        <source>it holds more than %1 objects</source>
        <translation>包含的对象超过 %1 个</translation>
    </message>
    <message>
        <source>it holds a text that is not UTF-8</source>
        <translation>含有不是 UTF-8 的文本</translation>
    </message>
    <message>
        <source>it fills a container that is none</source>
        <translation>向并非容器的对象填充内容</translation>
    </message>
    <message>
        <source>it has a key without a value</source>
        <translation>含有没有值的键</translation>
    </message>
    <message>
        <source>it asks for %1.%2, which checkpoints of tensors do not need</source>
        <translation>要求 %1.%2，而张量的 checkpoint 不需要它</translation>
    </message>
    <message>
        <source>it calls what cannot be called</source>
        <translation>调用了不可调用的对象</translation>
    </message>
    <message>
        <source>it calls %1.%2</source>
        <translation>调用了 %1.%2</translation>
    </message>
    <message>
        <source>it copies the same items again and again</source>
        <translation>反复复制相同的条目</translation>
    </message>
    <message>
        <source>what it gives to %1.%2 makes no sense</source>
        <translation>传给 %1.%2 的参数没有意义</translation>
    </message>
    <message>
        <source>a tensor has more than 64 dimensions</source>
        <translation>某个张量的维度超过 64 个</translation>
    </message>
    <message>
        <source>the shape or the strides of a tensor are not lists</source>
        <translation>某个张量的形状或步幅不是列表</translation>
    </message>
    <message>
        <source>the shape or the strides of a tensor are negative or no numbers</source>
        <translation>某个张量的形状或步幅为负数或不是数字</translation>
    </message>
    <message>
        <source>it refers to something outside that is no storage of a tensor</source>
        <translation>引用了并非张量存储的外部内容</translation>
    </message>
    <message>
        <source>it has a storage of the class %1.%2</source>
        <translation>含有类 %1.%2 的存储</translation>
    </message>
    <message>
        <source>it has a view of a storage, which only torch before 0.4 wrote: save it again with a newer one</source>
        <translation>含有存储的视图，只有 0.4 之前的 torch 才会写出：请用较新版本重新保存</translation>
    </message>
    <message>
        <source>memory format</source>
        <translation>memory format</translation>
    </message>
    <message>
        <source>%1 is refused: %2 (byte %3 of its pickle)</source>
        <translation>拒绝读取 %1：%2（其 pickle 的第 %3 字节）</translation>
    </message>
    <message>
        <source>it announces %1 bytes where %2 are left</source>
        <translation>声明了 %1 字节，但只剩 %2 字节</translation>
    </message>
    <message>
        <source>%1 cannot be kept: %2</source>
        <translation>%1 无法保留：%2</translation>
    </message>
    <message>
        <source>it is nested more than %1 deep</source>
        <translation>嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>it stands for more than 64 MiB</source>
        <translation>其内容超过 64 MiB</translation>
    </message>
    <message>
        <source>it holds an integer of more than 2040 bits</source>
        <translation>含有超过 2040 位的整数</translation>
    </message>
    <message>
        <source>it holds a %1.%2</source>
        <translation>含有 %1.%2</translation>
    </message>
    <message>
        <source>it holds a tensor where none can be</source>
        <translation>在不能放置张量的位置含有张量</translation>
    </message>
    <message>
        <source>%1 is not a file: name a safetensors file</source>
        <translation>%1 不是文件：请指定 safetensors 文件</translation>
    </message>
    <message>
        <source>the header is a list, not a table of tensors</source>
        <translation>文件头是列表，而不是张量表</translation>
    </message>
    <message>
        <source>the header is not a table of tensors</source>
        <translation>文件头不是张量表</translation>
    </message>
    <message>
        <source>'%1' is not a table</source>
        <translation>'%1' 不是表</translation>
    </message>
    <message>
        <source>there is something behind the table of tensors</source>
        <translation>张量表之后还有其他内容</translation>
    </message>
    <message>
        <source>is nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>byte %1 of the header: %2</source>
        <translation>文件头的第 %1 字节：%2</translation>
    </message>
    <message>
        <source>the header: %1</source>
        <translation>文件头：%1</translation>
    </message>
    <message>
        <source>the metadata has a value for '%1' that is not text</source>
        <translation>元数据中 '%1' 的值不是文本</translation>
    </message>
    <message>
        <source>the metadata has the key '%1' twice</source>
        <translation>元数据中键 '%1' 出现两次</translation>
    </message>
    <message>
        <source>tensor '%1' %2</source>
        <translation>张量 '%1' %2</translation>
    </message>
    <message>
        <source>has the key '%1' twice</source>
        <translation>的键 '%1' 出现两次</translation>
    </message>
    <message>
        <source>has a dtype of the wrong type</source>
        <translation>的 dtype 类型错误</translation>
    </message>
    <message>
        <source>has a shape that is too large</source>
        <translation>的形状过大</translation>
    </message>
    <message>
        <source>has no %1</source>
        <translation>没有 %1</translation>
    </message>
    <message>
        <source>has %1 data_offsets instead of 2</source>
        <translation>有 %1 个 data_offsets，应为 2 个</translation>
    </message>
    <message>
        <source>has a %1 of the wrong type</source>
        <translation>的 %1 类型错误</translation>
    </message>
    <message>
        <source>has something in its %1 that is not a number</source>
        <translation>的 %1 中含有不是数字的内容</translation>
    </message>
    <message>
        <source>a negative number</source>
        <translation>负数</translation>
    </message>
    <message>
        <source>not a whole number</source>
        <translation>非整数</translation>
    </message>
    <message>
        <source>has a negative number in its %1</source>
        <translation>的 %1 中有负数</translation>
    </message>
    <message>
        <source>has not a whole number in its %1</source>
        <translation>的 %1 中有非整数</translation>
    </message>
    <message>
        <source>has the unknown dtype '%1'</source>
        <translation>的 dtype '%1' 未知</translation>
    </message>
    <message>
        <source>ends before it begins</source>
        <translation>的终点先于起点</translation>
    </message>
    <message>
        <source>overlaps the one before it</source>
        <translation>与前一个张量重叠</translation>
    </message>
    <message>
        <source>begins %1 bytes behind the one before it</source>
        <translation>的起点在前一个张量之后 %1 字节</translation>
    </message>
    <message>
        <source>ends at byte %1 of the data, but there are only %2: the file is cut</source>
        <translation>止于数据的第 %1 字节，但总共只有 %2 字节：文件被截断</translation>
    </message>
    <message>
        <source>has %1 bytes where its shape and dtype need %2</source>
        <translation>有 %1 字节，而其形状和 dtype 需要 %2 字节</translation>
    </message>
    <message>
        <source>%1 bytes at the end belong to no tensor</source>
        <translation>末尾的 %1 字节不属于任何张量</translation>
    </message>
    <message>
        <source>it has %1 bytes, too few for a header</source>
        <translation>文件有 %1 字节，不足以容纳文件头</translation>
    </message>
    <message>
        <source>its header claims %1 bytes, more than the 100 MB allowed</source>
        <translation>其文件头声明为 %1 字节，超过允许的 100 MB</translation>
    </message>
    <message>
        <source>its header claims %1 bytes, but only %2 follow: the file is cut</source>
        <translation>其文件头声明为 %1 字节，但后面只有 %2 字节：文件被截断</translation>
    </message>
    <message>
        <source>%1 is not a whole safetensors file: %2</source>
        <translation>%1 不是完整的 safetensors 文件：%2</translation>
    </message>
    <message>
        <source>its header ends behind byte %1</source>
        <translation>其文件头超出第 %1 字节</translation>
    </message>
    <message>
        <source>%1 has numbers that fp16 cannot hold: choose bf16 or fp32</source>
        <translation>%1 中有 fp16 无法表示的数：请选择 bf16 或 fp32</translation>
    </message>
    <message>
        <source>%1 has numbers that bf16 cannot hold: choose a wider type</source>
        <translation>%1 中有 bf16 无法表示的数：请选择范围更大的类型</translation>
    </message>
    <message>
        <source>%1 has numbers that fp32 cannot hold: choose a wider type</source>
        <translation>%1 中有 fp32 无法表示的数：请选择范围更大的类型</translation>
    </message>
    <message>
        <source>%1: '%2 -&gt; %3' is no row of names: a '*' stands once, at the beginning or the end, on both sides</source>
        <translation>%1：'%2 -&gt; %3' 不是有效的名称行：'*' 在两侧各出现一次，位于开头或末尾</translation>
    </message>
    <message>
        <source>average of %1</source>
        <translation>%1 个的平均</translation>
    </message>
    <message>
        <source>checkpoint %1 lacks '%2'</source>
        <translation>checkpoint %1 缺少 '%2'</translation>
    </message>
    <message>
        <source>'%1' is %2 [%3] in checkpoint %4 and %5 [%6] in the first</source>
        <translation>'%1' 在 checkpoint %4 中为 %2 [%3]，在第一个中为 %5 [%6]</translation>
    </message>
    <message>
        <source>only checkpoint %1 has '%2'</source>
        <translation>只有 checkpoint %1 含有 '%2'</translation>
    </message>
    <message>
        <source>these checkpoints cannot be averaged: %1</source>
        <translation>这些 checkpoint 无法求平均：%1</translation>
    </message>
    <message>
        <source>'%1' is no type for weights: use fp32, bf16, fp16 or fp64</source>
        <translation>'%1' 不是权重类型：请使用 fp32、bf16、fp16 或 fp64</translation>
    </message>
    <message>
        <source>the table leaves '%1' without a name</source>
        <translation>该表使 '%1' 没有名称</translation>
    </message>
    <message>
        <source>'%1' and '%2' would both be called '%3'</source>
        <translation>'%1' 和 '%2' 都将命名为 '%3'</translation>
    </message>
    <message>
        <source>no tensor has a name that fits %1: look at the names with `trainyard checkpoints show`</source>
        <translation>没有张量的名称与 %1 匹配：请用 `trainyard checkpoints show` 查看名称</translation>
    </message>
    <message>
        <source>%1: the new name of '%2' is no text</source>
        <translation>%1：'%2' 的新名称不是文本</translation>
    </message>
    <message>
        <source>%1:%2: write 'old name -&gt; new name'</source>
        <translation>%1:%2：请写成 'old name -&gt; new name'</translation>
    </message>
    <message>
        <source>%1 has no rows: write 'old name -&gt; new name' on each line</source>
        <translation>%1 中没有任何行：请在每行写 'old name -&gt; new name'</translation>
    </message>
    <message>
        <source>an average needs two checkpoints or more, and a share for each</source>
        <translation>求平均需要两个或更多 checkpoint，且每个都要有比例</translation>
    </message>
    <message>
        <source>the shares of an average are numbers of 0 or more, and not all 0</source>
        <translation>求平均的比例须为不小于 0 的数，且不能全为 0</translation>
    </message>
    <message>
        <source>a decay of %1 is no average: use a number between 0 and 1, such as 0.9</source>
        <translation>衰减 %1 不构成平均：请使用 0 到 1 之间的数，例如 0.9</translation>
    </message>
    <message>
        <source>%1 is empty: copy it again</source>
        <translation>%1 为空：请重新复制</translation>
    </message>
    <message>
        <source>%1 is only a pointer of Git LFS: fetch the file itself with `git lfs pull`</source>
        <translation>%1 只是 Git LFS 指针：请用 `git lfs pull` 获取文件本身</translation>
    </message>
    <message>
        <source>%1 holds its numbers with the highest byte first: save it again on a machine of the usual byte order</source>
        <translation>%1 中的数采用大端字节序：请在常见字节序的机器上重新保存</translation>
    </message>
    <message>
        <source>%1 is no weights file: it begins neither as a ZIP archive nor as a pickle, which torch.save writes</source>
        <translation>%1 不是权重文件：开头既不是 ZIP 归档也不是 torch.save 写出的 pickle</translation>
    </message>
    <message>
        <source>%1 was not written by torch.save: it is some other pickle</source>
        <translation>%1 不是由 torch.save 写出的：它是其他 pickle</translation>
    </message>
    <message>
        <source>%1 has a version of torch.save's old format that is unknown</source>
        <translation>%1 使用了 torch.save 旧格式的未知版本</translation>
    </message>
    <message>
        <source>%1 is damaged: it has a storage that no tensor uses</source>
        <translation>%1 已损坏：其中有没有任何张量使用的存储</translation>
    </message>
    <message>
        <source>%1 is cut: the storages of its tensors are missing</source>
        <translation>%1 被截断：缺少其张量的存储</translation>
    </message>
    <message>
        <source>%1 is cut: the storage '%2' ends behind it</source>
        <translation>%1 被截断：存储 '%2' 超出文件末尾</translation>
    </message>
    <message>
        <source>the storage '%1' is missing</source>
        <translation>缺少存储 '%1'</translation>
    </message>
    <message>
        <source>the storage '%1' has %2 bytes where the pickle says %3 elements</source>
        <translation>存储 '%1' 有 %2 字节，而 pickle 声明有 %3 个元素</translation>
    </message>
    <message>
        <source>the shape of a tensor is too large</source>
        <translation>某个张量的形状过大</translation>
    </message>
    <message>
        <source>the strides of a tensor are too large</source>
        <translation>某个张量的步幅过大</translation>
    </message>
    <message>
        <source>a tensor reaches beyond the end of its storage '%1'</source>
        <translation>某个张量超出其存储 '%1' 的末尾</translation>
    </message>
    <message>
        <source>a tensor repeats a few elements without end</source>
        <translation>某个张量无限重复少数几个元素</translation>
    </message>
    <message>
        <source>%1 has more than %2 values</source>
        <translation>%1 的值超过 %2 个</translation>
    </message>
    <message>
        <source>it is not JSON, or cut</source>
        <translation>它不是 JSON，或被截断</translation>
    </message>
    <message>
        <source>%1 is not a weight index: %2</source>
        <translation>%1 不是权重索引：%2</translation>
    </message>
    <message>
        <source>it has no table 'weight_map'</source>
        <translation>其中没有 'weight_map' 表</translation>
    </message>
    <message>
        <source>the file of '%1' is not text</source>
        <translation>'%1' 的文件不是文本</translation>
    </message>
    <message>
        <source>%1 lacks %2 of %3 shards, the first one is %4: copy them again</source>
        <translation>%1 缺少 %3 个分片中的 %2 个，首个缺失的是 %4：请重新复制</translation>
    </message>
    <message>
        <source>%1 contains the state of an optimizer and no weights of a model (%2): give the folder or file of the model</source>
        <translation>%1 只含优化器状态，没有模型权重（%2）：请给出模型的文件夹或文件</translation>
    </message>
    <message>
        <source>%1 contains no tensors</source>
        <translation>%1 不含张量</translation>
    </message>
    <message>
        <source>%1 contains no weights of a model: it has %2</source>
        <translation>%1 不含模型权重，其中有 %2</translation>
    </message>
    <message>
        <source>%1: only the weights are read, not %2</source>
        <translation>%1：只读取权重，不读取 %2</translation>
    </message>
    <message>
        <source>%1: only the weights in '%2' are read, not %3</source>
        <translation>%1：只读取 '%2' 中的权重，不读取 %3</translation>
    </message>
    <message>
        <source>%1 has two tensors that would be called '%2'</source>
        <translation>%1 中有两个张量都将命名为 '%2'</translation>
    </message>
    <message>
        <source>distributed checkpoint</source>
        <translation>分布式 checkpoint</translation>
    </message>
    <message>
        <source>%1 and %2 both have a tensor '%3'</source>
        <translation>%1 和 %2 都含有张量 '%3'</translation>
    </message>
    <message>
        <source>%1 has no tensor '%2', though the index says so</source>
        <translation>%1 中没有张量 '%2'，但索引称其存在</translation>
    </message>
    <message>
        <source>%1: the index does not fit, %2 tensors are in another file than it says and %3 are not in it, such as '%4'; they are read from where they are</source>
        <translation>%1：索引不符，%2 个张量在索引所述之外的文件中，%3 个不在索引中，例如 '%4'；从其所在位置读取</translation>
    </message>
    <message>
        <source>%1 contains no dictionary of tensors</source>
        <translation>%1 中没有张量字典</translation>
    </message>
    <message>
        <source>%1 has the tensor '%2', which was there before</source>
        <translation>%1 含有张量 '%2'，而它先前已出现过</translation>
    </message>
    <message>
        <source>ZeRO stage %1 of %2 ranks</source>
        <translation>ZeRO 阶段 %1，%2 个 rank</translation>
    </message>
    <message>
        <source>%1 has %2 tensors packed in a way that cannot be read, such as %3: convert a file of another type, such as Q8_0 or F16</source>
        <translation>%1 有 %2 个张量的打包方式无法读取，例如 %3：请转换其他类型的文件，例如 Q8_0 或 F16</translation>
    </message>
    <message>
        <source>%1 does not exist: name the folder of a checkpoint, or a file of weights</source>
        <translation>%1 不存在：请指定 checkpoint 的文件夹或权重文件</translation>
    </message>
    <message>
        <source>%1 has shards, but its list '.metadata' is missing: the checkpoint was not saved to its end, or was copied without hidden files</source>
        <translation>%1 中有分片，但缺少其列表 '.metadata'：checkpoint 未保存完成，或复制时漏掉了隐藏文件</translation>
    </message>
    <message>
        <source>%1 holds no weights itself: did you mean %2?</source>
        <translation>%1 本身不含权重：是否指 %2？</translation>
    </message>
    <message>
        <source>%1 has several files that may be the weights: give the path of one of them, such as %2</source>
        <translation>%1 中有多个可能是权重的文件：请给出其中一个的路径，例如 %2</translation>
    </message>
    <message>
        <source>%1 holds no weights: expected .metadata with *.distcp, model.safetensors or pytorch_model.bin, or an index of these</source>
        <translation>%1 中没有权重：应有 .metadata 及 *.distcp、model.safetensors 或 pytorch_model.bin，或它们的索引</translation>
    </message>
    <message>
        <source>%1 names no tensors</source>
        <translation>%1 中没有列出张量</translation>
    </message>
    <message>
        <source>%1: safetensors has no type for the elements of '%2'</source>
        <translation>%1：safetensors 没有适合 '%2' 的元素的类型</translation>
    </message>
    <message>
        <source>%1: the shape of '%2' is too large</source>
        <translation>%1：'%2' 的形状过大</translation>
    </message>
    <message>
        <source>%1 has names of wrapped modules, whose part %2 was left out</source>
        <translation>%1 含有被包装模块的名称，其中的 %2 已去掉</translation>
    </message>
    <message>
        <source>%1 has no files of DeepSpeed's optimizer, so the weights are those of the module, in its type</source>
        <translation>%1 没有 DeepSpeed 优化器的文件，因此权重取自模块，类型与模块相同</translation>
    </message>
    <message>
        <source>%1 is read, the only file of weights in its folder</source>
        <translation>读取 %1，文件夹中唯一的权重文件</translation>
    </message>
    <message>
        <source>the checkpoint (%1) holds no tensors</source>
        <translation>checkpoint（%1）中没有张量</translation>
    </message>
    <message>
        <source>%1 ranks: use 1 to 65,536</source>
        <translation>%1 个 rank：请使用 1 到 65,536</translation>
    </message>
    <message>
        <source>torch has no type for the elements of '%1' (%2)</source>
        <translation>torch 没有适合 '%1' 的元素的类型（%2）</translation>
    </message>
    <message>
        <source>what was written of '%1' is not what was read: the disk of %2 is not to be trusted, nothing was changed</source>
        <translation>写入的 '%1' 与读取的不同：%2 所在的磁盘不可信，未作任何更改</translation>
    </message>
    <message>
        <source>%1 holds other weights (%2), which readers would take for these: name another folder, or remove them</source>
        <translation>%1 中有其他权重（%2），读取方会误认为是这些权重：请指定其他文件夹，或将其移除</translation>
    </message>
    <message>
        <source>%1 has no file 'latest'</source>
        <translation>%1 没有文件 'latest'</translation>
    </message>
    <message>
        <source>%1 names %2, which is missing</source>
        <translation>%1 指向 %2，但它不存在</translation>
    </message>
    <message>
        <source>%1: %2, the newest whole step, is read</source>
        <translation>%1：读取最新的完整步骤 %2</translation>
    </message>
    <message>
        <source>%1 has no *%2, which names the parameters: the checkpoint was not saved to its end</source>
        <translation>%1 中没有列出参数的 *%2：checkpoint 未保存完成</translation>
    </message>
    <message>
        <source>%1 is not a file of a whole ZeRO checkpoint: %2</source>
        <translation>%1 不是完整 ZeRO checkpoint 的文件：%2</translation>
    </message>
    <message>
        <source>it names no stage of ZeRO from 1 to 3</source>
        <translation>其中没有指明 1 到 3 的 ZeRO 阶段</translation>
    </message>
    <message>
        <source>it is of stage %1, and the first file of stage %2</source>
        <translation>其阶段为 %1，而第一个文件的阶段为 %2</translation>
    </message>
    <message>
        <source>it has no list '%1'</source>
        <translation>其中没有列表 '%1'</translation>
    </message>
    <message>
        <source>it has %1 groups of parameters, and the first file %2</source>
        <translation>它有 %1 个参数组，而第一个文件有 %2 个</translation>
    </message>
    <message>
        <source>an item of '%1' is no flat tensor of float32</source>
        <translation>'%1' 的某一项不是 float32 的展平张量</translation>
    </message>
    <message>
        <source>%1 was saved by %2 ranks, and there are %3 files *%4: copy those of one checkpoint</source>
        <translation>%1 由 %2 个 rank 保存，而文件 *%4 有 %3 个：请复制同一检查点的文件</translation>
    </message>
    <message>
        <source>%1 was saved by %2 ranks, and there are %3 files *%4: copy %5</source>
        <translation>%1 由 %2 个 rank 保存，而文件 *%4 有 %3 个：请复制 %5</translation>
    </message>
    <message>
        <source>it has no list 'param_shapes'</source>
        <translation>其中没有列表 'param_shapes'</translation>
    </message>
    <message>
        <source>an item of 'param_shapes' is no dictionary</source>
        <translation>'param_shapes' 的某一项不是字典</translation>
    </message>
    <message>
        <source>an entry of 'param_shapes' is no name with a shape</source>
        <translation>'param_shapes' 的某个条目不是带形状的名称</translation>
    </message>
    <message>
        <source>it has %1 groups of parameters, and the optimizer's files have %2</source>
        <translation>它有 %1 个参数组，而优化器的文件有 %2 个</translation>
    </message>
    <message>
        <source>the buffer '%1' does not lie in one piece</source>
        <translation>缓冲区 '%1' 不是连续存放的</translation>
    </message>
    <message>
        <source>it has no part of the frozen parameter '%1'</source>
        <translation>其中没有冻结参数 '%1' 的部分</translation>
    </message>
    <message>
        <source>the parts of the frozen parameter '%1' are %2 elements short</source>
        <translation>冻结参数 '%1' 的各部分还缺 %2 个元素</translation>
    </message>
    <message>
        <source>it is %1 elements short of '%2'</source>
        <translation>其中 '%2' 还缺 %1 个元素</translation>
    </message>
    <message>
        <source>%1 is %2 elements short of '%3': a file of the checkpoint is from another one</source>
        <translation>%1 中 '%3' 还缺 %2 个元素：某个 checkpoint 文件来自另一个 checkpoint</translation>
    </message>
    <message>
        <source>%1 holds %2 elements where its parameters need %3: files of different checkpoints are mixed</source>
        <translation>%1 有 %2 个元素，而其参数需要 %3 个：混入了不同 checkpoint 的文件</translation>
    </message>
</context>
<context>
    <name>engine/inference</name>
    <message>
        <source>max_memory: '%1' is no device: give numbers of accelerators, cpu or disk</source>
        <translation>max_memory：'%1' 不是设备：请使用加速器编号、cpu 或 disk</translation>
    </message>
    <message>
        <source>max_memory: %1=%2 is no size: give one such as 200MB or 10GiB</source>
        <translation>max_memory：%1=%2 不是有效的大小：请填写例如 200MB 或 10GiB</translation>
    </message>
    <message>
        <source>how much memory the devices '%1' have is not known: give it with max_memory, such as 0=10GiB</source>
        <translation>无法得知设备 '%1' 的内存：请用 max_memory 指定，例如 0=10GiB</translation>
    </message>
    <message>
        <source>device_map '%1' is neither auto, balanced, balanced_low_0, sequential, a device (cpu, disk, 0, cuda:1), nor a JSON file with a map</source>
        <translation>device_map '%1' 不是 auto、balanced、balanced_low_0、sequential、设备（cpu、disk、0、cuda:1），也不是含有映射的 JSON 文件</translation>
    </message>
    <message>
        <source>max_memory has no effect on a device map that is given: it limits auto, balanced, balanced_low_0 and sequential</source>
        <translation>max_memory 对已给定的设备映射不起作用：它限制 auto、balanced、balanced_low_0 和 sequential</translation>
    </message>
    <message>
        <source>the device map says of %1 tensors not where they are: %2 ...</source>
        <translation>设备映射没有指明 %1 个张量的位置：%2 ...</translation>
    </message>
    <message>
        <source>the device map says of %1 tensors not where they are: %2</source>
        <translation>设备映射没有指明 %1 个张量的位置：%2</translation>
    </message>
    <message>
        <source>the device map names '%1', which the model does not have</source>
        <translation>设备映射中有 '%1'，而模型中没有</translation>
    </message>
    <message>
        <source>the device map names the device '%1': devices are numbers of accelerators, also as cuda:0, cpu and disk</source>
        <translation>设备映射中有设备 '%1'：设备为加速器编号（也可写作 cuda:0）、cpu 和 disk</translation>
    </message>
    <message>
        <source>weights of this model are offloaded, so it can be used but not trained: train it on devices that hold it</source>
        <translation>此模型的权重已被卸载，因此可以使用但不能训练：请在能容纳它的设备上训练</translation>
    </message>
    <message>
        <source>%1 has no value yet: load a checkpoint into the model before it is dispatched</source>
        <translation>%1 还没有值：请先将 checkpoint 加载到模型，再进行分发</translation>
    </message>
    <message>
        <source>the device map puts %1 on disk: name a folder for it (offload_dir)</source>
        <translation>设备映射将 %1 放在磁盘上：请为其指定文件夹（offload_dir）</translation>
    </message>
    <message>
        <source>%1: '%2' has another shape than the model's</source>
        <translation>%1：'%2' 的形状与模型中的不同</translation>
    </message>
    <message>
        <source>layerwise casting stores and computes floating-point numbers, not %1</source>
        <translation>逐层类型转换以浮点数存储和计算，而不是 %1</translation>
    </message>
    <message>
        <source>skip_modules_pattern: '%1' is no regular expression</source>
        <translation>skip_modules_pattern：'%1' 不是正则表达式</translation>
    </message>
    <message>
        <source>%1 has no value yet: load a checkpoint before its weights are cast</source>
        <translation>%1 还没有值：请先加载 checkpoint，再转换其权重</translation>
    </message>
    <message>
        <source>%1 has the shape [%2] instead of [%3]</source>
        <translation>%1 的形状为 [%2]，而不是 [%3]</translation>
    </message>
    <message>
        <source>%1 has an adapter and not the model that it was trained beside: name that model, and give this folder as its adapter (--adapter)</source>
        <translation>%1 只有适配器，没有训练它时所用的模型：请指定该模型，并将此文件夹作为其适配器 (--adapter)</translation>
    </message>
    <message>
        <source>it is of another model</source>
        <translation>它属于另一个模型</translation>
    </message>
    <message>
        <source>%1 has no tensor %2: it is of another model</source>
        <translation>%1 中没有张量 %2：它属于其他模型</translation>
    </message>
    <message>
        <source>%1 has no tensor %2: %3</source>
        <translation>%1 没有张量 %2：%3</translation>
    </message>
    <message>
        <source>%1 has a head of its own, %2, which differs from %3, and the model has one tensor for both: set tie_word_embeddings to false</source>
        <translation>%1 有自己的输出层 %2，与 %3 不同，而模型中两者共用一个张量：请将 tie_word_embeddings 设为 false</translation>
    </message>
    <message>
        <source>%1 has tensors that the model lacks: %2</source>
        <translation>%1 中有模型所没有的张量：%2</translation>
    </message>
    <message>
        <source>%1 has tensors that the model does not use: %2</source>
        <translation>%1 中有模型未使用的张量：%2</translation>
    </message>
    <message>
        <source>%1 has %2 in elements of type %3: give weights as F32, F16 or BF16</source>
        <translation>%1 中 %2 的元素类型为 %3：请以 F32、F16 或 BF16 提供权重</translation>
    </message>
    <message>
        <source>%1 is to be read from disk, and %2 is %3, whose tensors lie in no file as they are: name a folder for them (offload_folder)</source>
        <translation>%1 要从磁盘读取，而 %2 是 %3，其张量没有原样存放在任何文件中：请为其指定文件夹（offload_folder）</translation>
    </message>
    <message>
        <source>split_points names %1 blocks, and %2 ranks need %3: name the block that each rank but the first begins with</source>
        <translation>split_points 列出了 %1 个块，而 %2 个 rank 需要 %3 个：请指定除第一个以外每个 rank 起始的块</translation>
    </message>
    <message>
        <source>split_points: '%1' is not a block of the model: they are %2</source>
        <translation>split_points：'%1' 不是模型的块：模型的块为 %2</translation>
    </message>
    <message>
        <source>split_points: '%1' would leave a stage without blocks: name blocks behind the first one, in their order</source>
        <translation>split_points：'%1' 会使某个 stage 没有块：请按顺序指定第一个块之后的块</translation>
    </message>
    <message>
        <source>pipeline inference needs a batch on rank 0: a dictionary of tensors, input_ids and what else the model takes</source>
        <translation>流水线推理需要 rank 0 上的 batch：由张量组成的字典，包括 input_ids 及模型所需的其他输入</translation>
    </message>
    <message>
        <source>pipeline inference computes logits and no loss: leave 'labels' out of the batch</source>
        <translation>流水线推理计算 logits，不计算损失：请从 batch 中去掉 'labels'</translation>
    </message>
    <message>
        <source>'%1' of the batch is not a tensor with rows</source>
        <translation>batch 中的 '%1' 不是带有行的张量</translation>
    </message>
    <message>
        <source>'%1' of the batch has %2 rows, and '%3' has %4: all tensors need as many</source>
        <translation>batch 中的 '%1' 有 %2 行，而 '%3' 有 %4 行：所有张量的行数须相同</translation>
    </message>
    <message>
        <source>the batch of pipeline inference has no rows</source>
        <translation>流水线推理的 batch 没有行</translation>
    </message>
    <message>
        <source>%1 is not cut into pipeline stages: use one rank</source>
        <translation>%1 不能切分为流水线 stage：请使用一个 rank</translation>
    </message>
    <message>
        <source>num_chunks is %1: give 1 or more, or 0 for as many as ranks</source>
        <translation>num_chunks 为 %1：请使用 1 或更大的值，或使用 0 表示与 rank 数相同</translation>
    </message>
    <message>
        <source>%1 has modules_to_save %2, and the model has none of them: it is of another model or task</source>
        <translation>%1 的 modules_to_save 为 %2，而模型中没有这些模块：它属于其他模型或任务</translation>
    </message>
    <message>
        <source>%1 brings %2, which is tied to the output layer here: merge it with PEFT</source>
        <translation>%1 带有 %2，此处它与输出层共享：请用 PEFT 合并</translation>
    </message>
    <message>
        <source>%1 brings %2, and so does another adapter: use one of them</source>
        <translation>%1 带有 %2，另一个适配器也带有：请只使用其中一个</translation>
    </message>
    <message>
        <source>%1 brings whole tensors (%2), which cannot count %3 times: leave the weight out</source>
        <translation>%1 带有完整的张量（%2），不能按 %3 倍计算：请去掉权重</translation>
    </message>
    <message>
        <source>%1 has init_lora_weights '%2': it cannot be taken out of a model, because what it changed follows from the original weights alone</source>
        <translation>%1 的 init_lora_weights 为“%2”：不能从模型中取出，因为它所改变的部分只能由原始权重得出</translation>
    </message>
    <message>
        <source>%1 has init_lora_weights '%2', a decomposition with random numbers that cannot be repeated: the exact one is subtracted from the weights instead, and the result may differ from the trained model; convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source>
        <translation>%1 的 init_lora_weights 为“%2”，即使用随机数、无法重现的分解：改为从权重中减去精确分解，结果可能与训练的模型不同；请用 PEFT 转换适配器（save_pretrained 的 path_initial_model_for_weight_conversion）</translation>
    </message>
    <message>
        <source>a model that it does not name</source>
        <translation>它未指明的模型</translation>
    </message>
    <message>
        <source>%1 is an adapter of a model that it does not name, which is no folder with a config.json here: give the model's folder, and this one as --adapter</source>
        <translation>%1 是某个模型的适配器，但未注明该模型，此处也没有含 config.json 的对应文件夹：请指定模型的文件夹，并将此文件夹作为 --adapter</translation>
    </message>
    <message>
        <source>%1 is an adapter of %2, which is no folder with a config.json here: give the model's folder, and this one as --adapter</source>
        <translation>%1 是适配器，其模型 %2 不是此处含有 config.json 的文件夹：请指定模型的文件夹，并将此文件夹作为 --adapter</translation>
    </message>
    <message>
        <source>a text to go on from has at least one token: give a prompt</source>
        <translation>要续写的文本须至少有一个 token：请输入提示词</translation>
    </message>
    <message>
        <source>the prompt has %1 tokens, and the model sees %2: shorten it</source>
        <translation>提示词有 %1 个 token，而模型可见 %2 个：请缩短提示词</translation>
    </message>
    <message>
        <source>%1: %2 is %3 and must be %4</source>
        <translation>%1：%2 为 %3，但必须是%4</translation>
    </message>
    <message>
        <source>a token id, a list of token ids, or null</source>
        <translation>一个词元编号、编号的列表或 null</translation>
    </message>
    <message>
        <source>beams that are stopped by no estimate are not computed here</source>
        <translation>此处不计算没有提前估计终止的束搜索</translation>
    </message>
    <message>
        <source>beams draw nothing here</source>
        <translation>此处的束搜索不做采样</translation>
    </message>
    <message>
        <source>this version does not compute it</source>
        <translation>此版本不计算它</translation>
    </message>
    <message>
        <source>%1: %2 is %3, which is not used: %4</source>
        <translation>%1：%2 为 %3，不会使用：%4</translation>
    </message>
    <message>
        <source>%1 names no eos_token_id, so texts end at no token, as in transformers; the %2 of config.json is not used: write it there, too</source>
        <translation>%1 没有 eos_token_id，因此与 transformers 一样，文本不会在任何词元处结束；config.json 中的 %2 不会使用：请也写在那里</translation>
    </message>
    <message>
        <source>%1 has no tokenizer.json, and the model has %2 tokens, which are no bytes: name its tokenizer (--tokenizer)</source>
        <translation>%1 没有 tokenizer.json，而模型有 %2 个 token，不是字节：请指定其分词器（--tokenizer）</translation>
    </message>
    <message>
        <source>%1 is a model for %2, which does not continue texts</source>
        <translation>%1 是用于 %2 的模型，不能续写文本</translation>
    </message>
    <message>
        <source>the tokenizer has the token %1, the model %2 tokens: it is of another model</source>
        <translation>分词器有 token %1，而模型有 %2 个 token：它属于其他模型</translation>
    </message>
    <message>
        <source>the prompt has %1 tokens, and max_length of the model's generation_config.json is %2, prompt included: give max_new_tokens</source>
        <translation>提示有 %1 个词元，而模型的 generation_config.json 中 max_length 为 %2（含提示）：请指定 max_new_tokens</translation>
    </message>
    <message>
        <source>dtype '%1' is none to compute in: float32, bfloat16, float16 or auto</source>
        <translation>dtype '%1' 不能用于计算：可用 float32、bfloat16、float16 或 auto</translation>
    </message>
    <message>
        <source>storage_dtype '%1' is none to store weights in: float8_e4m3fn, float8_e5m2, bfloat16 or float16</source>
        <translation>storage_dtype '%1' 不能用于存储权重：可用 float8_e4m3fn、float8_e5m2、bfloat16 或 float16</translation>
    </message>
    <message>
        <source>several processes hold a stage of the model each, in the processor's memory: leave the device map, limits of memory and the storage dtype out, or use one process</source>
        <translation>多个进程各在处理器的内存中保存模型的一个阶段：请去掉设备映射、内存限制和存储 dtype，或使用一个进程</translation>
    </message>
    <message>
        <source>%1 changes weights of the model itself, which only one process does: merge it first (trainyard merge-adapter)</source>
        <translation>%1 会改变模型本身的权重，只有单个进程可以这样做：请先合并（trainyard merge-adapter）</translation>
    </message>
    <message>
        <source>%1 changes weights of the model itself, which only a model in the processor's memory takes: merge it first (trainyard merge-adapter)</source>
        <translation>%1 会改变模型本身的权重，只适用于位于主内存中的模型：请先合并（trainyard merge-adapter）</translation>
    </message>
    <message>
        <source>%1: there is no such folder</source>
        <translation>%1：没有此文件夹</translation>
    </message>
    <message>
        <source>dtype '%1' cannot be written: give float32, bfloat16, float16 or auto</source>
        <translation>无法写入 dtype“%1”：请给出 float32、bfloat16、float16 或 auto</translation>
    </message>
    <message>
        <source>%1 has values after the merge that %2 cannot hold, or that are not finite: check the adapter, or give --dtype float32</source>
        <translation>%1 合并后有 %2 无法表示或非有限的值：请检查适配器，或给出 --dtype float32</translation>
    </message>
    <message>
        <source>%1 has no tensor %2</source>
        <translation>%1 中没有张量 %2</translation>
    </message>
    <message>
        <source>%1 has no adapter, and none was named: there is nothing to merge</source>
        <translation>%1 没有适配器，也未指定适配器：没有可合并的内容</translation>
    </message>
    <message>
        <source>must be at least 1</source>
        <translation>必须至少为 1</translation>
    </message>
    <message>
        <source>must be above 0: do_sample no takes the most likely token</source>
        <translation>必须大于 0：do_sample no 取概率最高的 token</translation>
    </message>
    <message>
        <source>must be at least 0</source>
        <translation>必须至少为 0</translation>
    </message>
    <message>
        <source>must be above 0 and at most 1</source>
        <translation>必须大于 0 且不超过 1</translation>
    </message>
    <message>
        <source>must be from 1 to 64</source>
        <translation>必须在 1 到 64 之间</translation>
    </message>
    <message>
        <source>beams take the most likely texts and draw nothing: set do_sample to no, or num_beams to 1</source>
        <translation>束搜索取概率最高的文本，不进行采样：请将 do_sample 设为 no，或将 num_beams 设为 1</translation>
    </message>
</context>
<context>
    <name>engine/launch</name>
    <message>
        <source>%1 machines, but --hosts names %2: leave --num_machines out</source>
        <translation>给出 %1 台机器，但 --hosts 列出 %2 台：请去掉 --num_machines</translation>
    </message>
    <message>
        <source>%1 processes, but --hosts names %2: leave --num_processes out</source>
        <translation>给出 %1 个进程，但 --hosts 列出 %2 个：请去掉 --num_processes</translation>
    </message>
    <message>
        <source>--hosts gives no number of processes for %1 of its machines: %2 each is assumed, as this machine has devices; write host:number to say another</source>
        <translation>--hosts 未给出其中 %1 台机器的进程数：按本机的设备数，每台假定为 %2；要指定其他数量请写 host:数量</translation>
    </message>
    <message>
        <source>num_processes is %1, but %2 in the environment say that an MPI launcher started this command %3 times, and each starts at least one process: give --num_processes %4 or more; if no MPI launcher did, give --num_machines 1, or unset %5</source>
        <translation>num_processes 为 %1，但环境中的 %2 表明 MPI 启动器将此命令启动了 %3 次，每次至少启动一个进程：请指定 --num_processes %4 或更大；如果不是由 MPI 启动器启动，请指定 --num_machines 1，或用 unset 删除 %5</translation>
    </message>
    <message>
        <source>%1 in the environment say that an MPI launcher started this command %2 times: this is machine %3 of %4; if none did, give --num_machines 1, or unset %5</source>
        <translation>环境中的 %1 表明 MPI 启动器将此命令启动了 %2 次：这是 %4 台机器中的机器 %3；如果并非如此，请指定 --num_machines 1，或用 unset 删除 %5</translation>
    </message>
    <message>
        <source>main_process_ip is missing: %1 in the environment say that an MPI launcher started this command %2 times, which meet at the address of the first one: give its address; if no MPI launcher did, give --num_machines 1, or unset %3</source>
        <translation>缺少 main_process_ip：环境中的 %1 表明 MPI 启动器将此命令启动了 %2 次，它们在第一个的地址会合：请指定其地址；如果不是由 MPI 启动器启动，请指定 --num_machines 1，或用 unset 删除 %3</translation>
    </message>
    <message>
        <source>SLURM's variables are not used: %1</source>
        <translation>未使用 SLURM 的变量：%1</translation>
    </message>
    <message>
        <source>SLURM's variables are not used: this machine, %1, is not one of the machines of job %2 (SLURM_JOB_NODELIST=%3); start the command there with srun, or unset SLURM_JOB_ID if the job is over</source>
        <translation>不使用 SLURM 的变量：本机 %1 不属于作业 %2 的机器（SLURM_JOB_NODELIST=%3）；请在那里用 srun 启动此命令，如果作业已结束，请用 unset 删除 SLURM_JOB_ID</translation>
    </message>
    <message>
        <source>srun starts this command more than once on this machine (SLURM_LOCALID=%1), and the first one starts all ranks of the machine: give srun --ntasks-per-node=1, or --num_machines if each is a launch of its own</source>
        <translation>srun 在本机多次启动此命令（SLURM_LOCALID=%1），而第一个会启动本机的所有 rank：请使用 srun --ntasks-per-node=1；如果每个都是独立的启动，请指定 --num_machines</translation>
    </message>
    <message>
        <source>this step of SLURM job %1 has %2 of its %3 machines (SLURM_STEP_NODELIST=%4): the others take no part; start the command with srun --nodes=%5 to use all</source>
        <translation>SLURM 作业 %1 的此步骤使用其 %3 台机器中的 %2 台（SLURM_STEP_NODELIST=%4）：其余机器不参与；要使用全部机器，请用 srun --nodes=%5 启动此命令</translation>
    </message>
    <message>
        <source>SLURM allocation of %1 machines found (SLURM_JOB_ID=%2): this is machine %3 of them, the main one is %4; start the same command on each of them with srun, or give --num_machines 1</source>
        <translation>发现含 %1 台机器的 SLURM 分配（SLURM_JOB_ID=%2）：这是其中的机器 %3，主机器是 %4；请用 srun 在每台机器上启动同一命令，或指定 --num_machines 1</translation>
    </message>
    <message>
        <source>the settings file does not say how many processes there are: give --num_processes</source>
        <translation>设置文件未说明进程数：请给出 --num_processes</translation>
    </message>
    <message>
        <source>%1 does not say how many processes there are: give --num_processes</source>
        <translation>%1 未说明进程数：请给出 --num_processes</translation>
    </message>
    <message>
        <source>launch needs a program: trainyard launch [flags] RECIPE.yaml, or SCRIPT.py with its arguments</source>
        <translation>launch 需要一个程序：trainyard launch [选项] RECIPE.yaml，或 SCRIPT.py 及其参数</translation>
    </message>
    <message>
        <source>'%1' stands behind the recipe: a recipe takes no arguments</source>
        <translation>'%1' 写在配方之后：配方不接受参数</translation>
    </message>
    <message>
        <source>unknown flag '%1' of launch</source>
        <translation>launch 的未知选项 '%1'</translation>
    </message>
    <message>
        <source>%1: did you mean '%2'?</source>
        <translation>%1：是否想写 '%2'？</translation>
    </message>
    <message>
        <source>%1: trainyard launch --help lists them</source>
        <translation>%1：trainyard launch --help 会列出它们</translation>
    </message>
    <message>
        <source>a value must follow</source>
        <translation>其后必须有值</translation>
    </message>
    <message>
        <source>'%1' is neither true nor false: give the flag alone, or =false</source>
        <translation>'%1' 既不是 true 也不是 false：请只写该选项，或写 =false</translation>
    </message>
    <message>
        <source>'%1' is not a number</source>
        <translation>'%1' 不是数字</translation>
    </message>
    <message>
        <source>'%1' is not a whole number</source>
        <translation>'%1' 不是整数</translation>
    </message>
    <message>
        <source>name a file</source>
        <translation>请指定文件</translation>
    </message>
    <message>
        <source>--hosts names the hosts already: give one of the two</source>
        <translation>--hosts 已列出主机：请只给出其一</translation>
    </message>
    <message>
        <source>'%1' is not a machine: write name or name:ranks, e.g. gpu-a:4,gpu-b:2</source>
        <translation>'%1' 不是机器：请写 名称 或 名称:rank数，例如 gpu-a:4,gpu-b:2</translation>
    </message>
    <message>
        <source>'%1' stands there twice: give its ranks once</source>
        <translation>'%1' 出现两次：请只给出一次 rank 数</translation>
    </message>
    <message>
        <source>'%1' is no host: write `name slots=4`</source>
        <translation>'%1' 不是主机：请写 `name slots=4`</translation>
    </message>
    <message>
        <source>%1 stands in line %2 already: give its slots once</source>
        <translation>%1 已在第 %2 行出现：请只给出一次 slots</translation>
    </message>
    <message>
        <source>no host is named: write one `name slots=4` a line</source>
        <translation>未列出主机：请每行写一个 `name slots=4`</translation>
    </message>
    <message>
        <source>Trainyard's library does not shard parameters: every rank has a replica</source>
        <translation>Trainyard 的库不对参数分片：每个进程都有一份副本</translation>
    </message>
    <message>
        <source>Trainyard's own ZeRO does not need it</source>
        <translation>Trainyard 自己的 ZeRO 不需要它</translation>
    </message>
    <message>
        <source>Trainyard's library does not read it</source>
        <translation>Trainyard 的库不读取它</translation>
    </message>
    <message>
        <source>the engine's kernels are compiled already: there is no Python to compile</source>
        <translation>引擎的内核已经编译：没有需要编译的 Python</translation>
    </message>
    <message>
        <source>the engine computes in fp32, bf16 or fp16</source>
        <translation>引擎以 fp32、bf16 或 fp16 计算</translation>
    </message>
    <message>
        <source>%1 %2 of %3 has no effect: %4</source>
        <translation>%3 的 %1 %2 不起作用：%4</translation>
    </message>
    <message>
        <source>%1 %2 has no effect: %3</source>
        <translation>%1 %2 不起作用：%3</translation>
    </message>
    <message>
        <source>neither mpirun nor mpiexec was found: install Open MPI, Intel MPI or MVAPICH, or leave the host file out</source>
        <translation>找不到 mpirun 和 mpiexec：请安装 Open MPI、Intel MPI 或 MVAPICH，或去掉主机文件</translation>
    </message>
    <message>
        <source>a mesh needs FSDP version 2: give --use_fsdp --fsdp_version 2, too</source>
        <translation>网格需要 FSDP 版本 2：请同时给出 --use_fsdp --fsdp_version 2</translation>
    </message>
    <message>
        <source>a mesh needs FSDP version 2 or DeepSpeed: set fsdp_version to 2 in fsdp_config, or remove parallelism_config</source>
        <translation>网格需要 FSDP 版本 2 或 DeepSpeed：请将 fsdp_config 中的 fsdp_version 设为 2，或删除 parallelism_config</translation>
    </message>
    <message>
        <source>the %1 devices of this machine cannot compute in bf16: give fp16 or no</source>
        <translation>本机的 %1 设备不能以 bf16 计算：请给出 fp16 或 no</translation>
    </message>
    <message>
        <source>fp8 needs Transformer Engine, MS-AMP or torchao, and none of them is installed: install one, or give bf16</source>
        <translation>fp8 需要 Transformer Engine、MS-AMP 或 torchao，均未安装：请安装其一，或给出 bf16</translation>
    </message>
    <message>
        <source>which of the %1 machines this is must be known: give --machine_rank, 0 to %2</source>
        <translation>必须知道本机是 %1 台机器中的哪一台：请给出 --machine_rank，0 到 %2</translation>
    </message>
    <message>
        <source>DeepSpeed starts as many processes on each machine, but %1 cannot be shared out over %2: give %3, or a deepspeed_inclusion_filter</source>
        <translation>DeepSpeed 在每台机器上启动同样多的进程，但 %1 个无法均分到 %2 台：请给出 %3，或 deepspeed_inclusion_filter</translation>
    </message>
    <message>
        <source>only the first process reads the weights (fsdp_cpu_ram_efficient_loading), so the others must receive them: set fsdp_sync_module_states to true, or fsdp_cpu_ram_efficient_loading to false</source>
        <translation>只有第一个进程读取权重（fsdp_cpu_ram_efficient_loading），其他进程必须接收它们：请将 fsdp_sync_module_states 设为 true，或将 fsdp_cpu_ram_efficient_loading 设为 false</translation>
    </message>
    <message>
        <source>%1 exclude each other: give one of them</source>
        <translation>%1 互斥：请只给出其一</translation>
    </message>
    <message>
        <source>--use_megatron_lm and --%1 exclude each other: give one of them</source>
        <translation>--use_megatron_lm 与 --%1 互斥：请只给出其一</translation>
    </message>
    <message>
        <source>--module and --no_python exclude each other: a module needs Python</source>
        <translation>--module 与 --no_python 互斥：模块需要 Python</translation>
    </message>
    <message>
        <source>--multi_gpu needs 2 processes at least: give more, or leave --multi_gpu out</source>
        <translation>--multi_gpu 至少需要 2 个进程：请给出更多，或去掉 --multi_gpu</translation>
    </message>
    <message>
        <source>a mesh needs FSDP 2, and SageMaker has none: leave the flag out</source>
        <translation>网格需要 FSDP 2，而 SageMaker 没有：请去掉该选项</translation>
    </message>
    <message>
        <source>the settings file is for Amazon SageMaker, this flag starts on this machine: give another file with --config_file, or leave the flag out</source>
        <translation>设置文件用于 Amazon SageMaker，而该选项在本机启动：请用 --config_file 给出其他文件，或去掉该选项</translation>
    </message>
    <message>
        <source>'%1' is one device, but training on several was asked for: name at least two, or all</source>
        <translation>'%1' 是一个设备，但要求在多个设备上训练：请至少列出两个，或 all</translation>
    </message>
    <message>
        <source>parallelism_config of the file is not used, since a flag chooses the way of training: add --use_parallelism_config to use it</source>
        <translation>未使用文件中的 parallelism_config，因为有选项决定了训练方式：要使用它请加上 --use_parallelism_config</translation>
    </message>
    <message>
        <source>DeepSpeed is not installed for %1: install the Python package deepspeed, or train with FSDP</source>
        <translation>%1 未安装 DeepSpeed：请安装 Python 包 deepspeed，或用 FSDP 训练</translation>
    </message>
    <message>
        <source>the usual one, as main_process_port is not set</source>
        <translation>默认端口，因为未设置 main_process_port</translation>
    </message>
    <message>
        <source>main_process_port of %1</source>
        <translation>%1 的 main_process_port</translation>
    </message>
    <message>
        <source>port %1 (%2) is in use by another program or launch: port %3 is taken instead; give another one with --main_process_port, or 0 for a free one</source>
        <translation>端口 %1（%2）正被另一个程序或另一次启动使用：改用端口 %3；请用 --main_process_port 指定其他端口，或用 0 选取空闲端口</translation>
    </message>
    <message>
        <source>port %1 of this machine is in use by another program: give another one with --main_process_port, the same on all machines</source>
        <translation>本机的端口 %1 已被其他程序占用：请用 --main_process_port 给出其他端口，所有机器须相同</translation>
    </message>
    <message>
        <source>the driver of these RTX 40 cards cannot exchange data directly: NCCL_P2P_DISABLE and NCCL_IB_DISABLE are set; a driver from 550.40.07 on can</source>
        <translation>这些 RTX 40 显卡的驱动不能直接交换数据：已设置 NCCL_P2P_DISABLE 和 NCCL_IB_DISABLE；550.40.07 及以上的驱动可以</translation>
    </message>
    <message>
        <source>%1 processes cannot be shared out over %2 machines as asked: each needs one at least, and --hosts must add up</source>
        <translation>%1 个进程无法按要求分配到 %2 台机器：每台至少需要一个，且 --hosts 之和必须相符</translation>
    </message>
    <message>
        <source>--hosts has no effect: DeepSpeed's host file says how many ranks each machine has</source>
        <translation>--hosts 无效：DeepSpeed 的主机文件说明每台机器的 rank 数</translation>
    </message>
    <message>
        <source>DeepSpeed starts other machines by a host file with lines `name slots=N`: name it with --deepspeed_hostfile, or use --deepspeed_multinode_launcher standard</source>
        <translation>DeepSpeed 通过含 `name slots=N` 行的主机文件启动其他机器：请用 --deepspeed_hostfile 指定，或使用 --deepspeed_multinode_launcher standard</translation>
    </message>
    <message>
        <source>nossh needs DeepSpeed 0.14.5, %1 is installed: update it, or take pdsh</source>
        <translation>nossh 需要 DeepSpeed 0.14.5，已安装 %1：请更新，或用 pdsh</translation>
    </message>
    <message>
        <source>NCCL_P2P_DISABLE and NCCL_IB_DISABLE are set, as the driver of these RTX 40 cards cannot exchange data directly</source>
        <translation>已设置 NCCL_P2P_DISABLE 和 NCCL_IB_DISABLE，因为这些 RTX 40 显卡的驱动不能直接交换数据</translation>
    </message>
    <message>
        <source>%1 does not reach the other machines: DeepSpeed's .deepspeed_env cannot hold blanks, `;`, `&lt;` or `&gt;`</source>
        <translation>%1 无法传到其他机器：DeepSpeed 的 .deepspeed_env 不能含空格、`;`、`&lt;` 或 `&gt;`</translation>
    </message>
    <message>
        <source>'%1' has no name: SageMaker takes the script's arguments as --name value</source>
        <translation>'%1' 没有名称：SageMaker 以 --name value 的形式接受脚本参数</translation>
    </message>
    <message>
        <source>%1 has no value: SageMaker cannot pass switches, give every argument one</source>
        <translation>%1 没有值：SageMaker 不能传递开关，请给每个参数一个值</translation>
    </message>
    <message>
        <source>--%1 stands there twice: give it once</source>
        <translation>--%1 出现两次：请只给出一次</translation>
    </message>
    <message>
        <source>%1 cannot be read: name a file of two columns between tabs, with a header</source>
        <translation>无法读取 %1：请指定以制表符分隔两列并带表头的文件</translation>
    </message>
    <message>
        <source>%1:%2 has one column: put a tab between the two</source>
        <translation>%1:%2 只有一列：请在两者之间加制表符</translation>
    </message>
    <message>
        <source>Amazon's access is missing: set profile in the settings file, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment</source>
        <translation>缺少 Amazon 的访问凭据：请在设置文件中设置 profile，或在环境中设置 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY</translation>
    </message>
    <message>
        <source>SageMaker starts Python scripts, '%1' is none: name a file that ends in .py, without --module and --no_python</source>
        <translation>SageMaker 启动 Python 脚本，'%1' 不是：请指定以 .py 结尾的文件，不带 --module 和 --no_python</translation>
    </message>
    <message>
        <source>if kind == 'file'</source>
        <translation>if kind == 'file'</translation>
    </message>
    <message>
        <source>on TPU a function of a Python script is started: leave --no_python out</source>
        <translation>在 TPU 上启动的是 Python 脚本的函数：请去掉 --no_python</translation>
    </message>
    <message>
        <source>%1 has no function %2: name the one that trains with --main_training_function</source>
        <translation>%1 没有函数 %2：请用 --main_training_function 指明训练函数</translation>
    </message>
    <message>
        <source>the pod's name is not known: set tpu_name in the settings file</source>
        <translation>不知道 pod 的名称：请在设置文件中设置 tpu_name</translation>
    </message>
    <message>
        <source>recipes have no tensor parallelism in this version: set it to 1</source>
        <translation>此版本中配方没有张量并行：请设为 1</translation>
    </message>
    <message>
        <source>recipes have no context parallelism in this version: set it to 1</source>
        <translation>此版本中配方没有上下文并行：请设为 1</translation>
    </message>
    <message>
        <source>recipes have no sequence parallelism in this version: set it to 1</source>
        <translation>此版本中配方没有序列并行：请设为 1</translation>
    </message>
    <message>
        <source>recipes share out optimizer state and gradients (DeepSpeed with zero_stage 1 or 2), not the weights: set it to 1 and dp_replicate_size to the number of replicas</source>
        <translation>配方切分优化器状态和梯度（zero_stage 1 或 2 的 DeepSpeed），不切分权重：请设为 1，并将 dp_replicate_size 设为副本数</translation>
    </message>
    <message>
        <source>ZeRO of recipes shares out over all ranks: set it to 1 and dp_shard_size to their number</source>
        <translation>配方的 ZeRO 在所有 rank 间切分：请设为 1，并将 dp_shard_size 设为 rank 数</translation>
    </message>
    <message>
        <source>ZeRO stage 3, which shares out the weights, too, is not there yet: take zero_stage 2</source>
        <translation>尚不支持同时切分权重的 ZeRO 第 3 级：请用 zero_stage 2</translation>
    </message>
    <message>
        <source>offload_optimizer_device %1: recipes keep optimizer state on the device they train on, or, of processors, on a disk (nvme): set it to none</source>
        <translation>offload_optimizer_device %1：配方将优化器状态保存在训练所用的设备上，或者（在处理器上）保存在磁盘上 (nvme)：请设为 none</translation>
    </message>
    <message>
        <source>offload_param_device %1: weights that are trained stay on the device (those of a base beside adapters may lie on disk: model.device_map of the recipe): set it to none</source>
        <translation>offload_param_device %1：被训练的权重留在设备上（适配器旁边的基础模型的权重可以在磁盘上：配方的 model.device_map）：请设为 none</translation>
    </message>
    <message>
        <source>deepspeed_moe_layer_cls_names: no recipe has layers of experts: leave it out</source>
        <translation>deepspeed_moe_layer_cls_names：没有配方含专家层：请去掉</translation>
    </message>
    <message>
        <source>deepspeed_multinode_launcher %1 is DeepSpeed's own: name the machines with --hosts, or set it to standard</source>
        <translation>deepspeed_multinode_launcher %1 是 DeepSpeed 自己的：请用 --hosts 列出机器，或设为 standard</translation>
    </message>
    <message>
        <source>%1: recipes keep everything on the device they train on: set it to false</source>
        <translation>%1：配方将一切保留在训练所用的设备上：请设为 false</translation>
    </message>
    <message>
        <source>with --use_parallelism_config</source>
        <translation>使用 --use_parallelism_config</translation>
    </message>
    <message>
        <source>with --use_parallelism_config, since a flag chooses the way of training</source>
        <translation>使用 --use_parallelism_config，因为有选项决定了训练方式</translation>
    </message>
    <message>
        <source>FSDP, unless it is version 1 with fsdp_sharding_strategy NO_SHARD, or version 2 with parallelism_config_dp_replicate_size and one shard</source>
        <translation>FSDP，除非是 fsdp_sharding_strategy 为 NO_SHARD 的版本 1，或使用 parallelism_config_dp_replicate_size 且只有一个分片的版本 2</translation>
    </message>
    <message>
        <source>this version trains recipes with data parallelism and ZeRO, not with %1</source>
        <translation>此版本以数据并行和 ZeRO 训练配方，不支持 %1</translation>
    </message>
    <message>
        <source>Assumed, since neither a flag nor a file says them: %1</source>
        <translation>选项和文件均未给出，采用假定值：%1</translation>
    </message>
    <message>
        <source>%1 is out of range: give %2 or more</source>
        <translation>%1 超出范围：请给出 %2 或更大</translation>
    </message>
    <message>
        <source>--cpu has no effect: the settings file is for Amazon SageMaker</source>
        <translation>--cpu 无效：设置文件用于 Amazon SageMaker</translation>
    </message>
    <message>
        <source>--%1 has no effect: the settings file is for Amazon SageMaker</source>
        <translation>--%1 无效：设置文件用于 Amazon SageMaker</translation>
    </message>
    <message>
        <source>%1 devices were found: training on %2 of them; --num_processes 1 trains on one</source>
        <translation>找到 %1 个设备：在其中 %2 个上训练；--num_processes 1 只用一个</translation>
    </message>
    <message>
        <source>num_processes is %1: %2 processes are started on the devices, although the type is NO; give --num_processes 1 for one</source>
        <translation>num_processes 为 %1：尽管类型为 NO，仍在设备上启动 %2 个进程；只要一个请给出 --num_processes 1</translation>
    </message>
    <message>
        <source>%1: distributed_type %2 is not used; the processes share the CPU</source>
        <translation>%1：不使用 distributed_type %2；各进程共用 CPU</translation>
    </message>
    <message>
        <source>%1: %2 is not used; the processes share the CPU</source>
        <translation>%1：不使用 %2；各进程共用 CPU</translation>
    </message>
    <message>
        <source>%1 processes share %2 device: give --num_processes %3, or more of them in --gpu_ids</source>
        <translation>%1 个进程共用 %2 个设备：请给出 --num_processes %3，或在 --gpu_ids 中列出更多设备</translation>
    </message>
    <message>
        <source>%1 processes share %2 devices: give --num_processes %3, or more of them in --gpu_ids</source>
        <translation>%1 个进程共用 %2 个设备：请给出 --num_processes %3，或在 --gpu_ids 中列出更多设备</translation>
    </message>
    <message>
        <source>1 process</source>
        <translation>1 个进程</translation>
    </message>
    <message>
        <source>no accelerator was found on this machine: 1 process are started all the same; --cpu trains without one</source>
        <translation>本机未找到加速器：仍启动 1 个进程；--cpu 表示不用加速器训练</translation>
    </message>
    <message>
        <source>no accelerator was found on this machine: %1 processes are started all the same; --cpu trains without one</source>
        <translation>本机未找到加速器：仍启动 %1 个进程；--cpu 表示不用加速器训练</translation>
    </message>
    <message>
        <source>the environment has %1=%2, which is not a whole number</source>
        <translation>环境中有 %1=%2，它不是整数</translation>
    </message>
    <message>
        <source>--%1 no</source>
        <translation>--%1 no</translation>
    </message>
    <message>
        <source>'%1' is not a list of hosts as SLURM writes it: %2</source>
        <translation>'%1' 不是 SLURM 格式的主机列表：%2</translation>
    </message>
    <message>
        <source>a number is missing in the brackets</source>
        <translation>括号中缺少数字</translation>
    </message>
    <message>
        <source>a range runs backwards or is too long</source>
        <translation>范围逆序或过长</translation>
    </message>
    <message>
        <source>too many hosts</source>
        <translation>主机过多</translation>
    </message>
    <message>
        <source>a bracket is not closed</source>
        <translation>括号未闭合</translation>
    </message>
    <message>
        <source>a host's name is missing or has characters that no name has</source>
        <translation>缺少主机名，或含有名称中不允许的字符</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>为空</translation>
    </message>
    <message>
        <source>the launcher of this machine was killed: its ranks end with it</source>
        <translation>本机的启动器已被终止：其 rank 随之结束</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>没有应答</translation>
    </message>
    <message>
        <source>no head of a run was met at %1:%2 for %3: no answer: start the machine with --machine_rank 0, or check the address and port</source>
        <translation>在 %1:%2 等待 %3 仍未找到运行的主控端：没有应答：请启动 --machine_rank 0 的机器，或检查地址和端口</translation>
    </message>
    <message>
        <source>no head of a run was met at %1:%2 for %3: %4: start the machine with --machine_rank 0, or check the address and port</source>
        <translation>在 %1:%2 等待 %3 仍未找到运行的主控端：%4：请启动 --machine_rank 0 的机器，或检查地址和端口</translation>
    </message>
    <message>
        <source>the connection was ended: %1</source>
        <translation>连接已终止：%1</translation>
    </message>
    <message>
        <source>no contact with the head of the run for %1</source>
        <translation>已有 %1 未与运行的主控端联系</translation>
    </message>
    <message>
        <source>the head of the run at %1 refuses this machine: %2</source>
        <translation>%1 上的运行主控端拒绝本机：%2</translation>
    </message>
    <message>
        <source>it does not keep to the order of the handshake</source>
        <translation>对方未遵守握手的顺序</translation>
    </message>
    <message>
        <source>its challenge is none</source>
        <translation>对方的质询无效</translation>
    </message>
    <message>
        <source>whoever listens at %1 does not know the run's secret: set the same TRAINYARD_RUN_SECRET (or --rdzv_conf key=) on all machines</source>
        <translation>在 %1 监听的程序不知道此运行的密钥：请在所有机器上设置相同的 TRAINYARD_RUN_SECRET（或 --rdzv_conf key=）</translation>
    </message>
    <message>
        <source>the head of the run at %1:%2 is lost: %3: this machine's ranks are ended</source>
        <translation>与 %1:%2 的运行主控端失去联系：%3：结束本机的 rank</translation>
    </message>
    <message>
        <source>the head of the run at %1:%2 is gone: nobody listens there any more</source>
        <translation>%1:%2 的运行主控端已不在：那里不再有监听</translation>
    </message>
    <message>
        <source>the agent of %1 was asked to end by signal %2 (%3)</source>
        <translation>%1 的代理收到信号 %2（%3），要求结束</translation>
    </message>
    <message>
        <source>%1: the run is asked to stop; a second signal ends this machine's ranks at once</source>
        <translation>%1：已要求运行停止；再次发送信号将立即结束本机的 rank</translation>
    </message>
    <message>
        <source>ended by signal %1 (%2)</source>
        <translation>被信号 %1（%2）结束</translation>
    </message>
    <message>
        <source>%1 was turned away: %2 connections are waiting already</source>
        <translation>已拒绝 %1：已有 %2 个连接在等待</translation>
    </message>
    <message>
        <source>a connection from %1 was closed: %2</source>
        <translation>已关闭来自 %1 的连接：%2</translation>
    </message>
    <message>
        <source>a connection from %1 was closed: it did not prove that it belongs to this run</source>
        <translation>已关闭来自 %1 的连接：它未能证明属于此运行</translation>
    </message>
    <message>
        <source>%1 (protocol %2)</source>
        <translation>%1（协议 %2）</translation>
    </message>
    <message>
        <source>the head of the run is Trainyard %1, this machine has %2 (protocol %3): install the same version on both</source>
        <translation>运行的主控端是 Trainyard %1，本机为 %2（协议 %3）：请在两者上安装相同版本</translation>
    </message>
    <message>
        <source>%1 was turned away: it has Trainyard %2, this is %3: install the same version on both</source>
        <translation>已拒绝 %1：它是 Trainyard %2，此处为 %3：请在两者上安装相同版本</translation>
    </message>
    <message>
        <source>at %1:%2 another run is waited for than '%3': check address, port and --rdzv_id</source>
        <translation>%1:%2 等待的运行不是 '%3'：请检查地址、端口和 --rdzv_id</translation>
    </message>
    <message>
        <source>%1 was turned away: it wants to join '%2', which is not this run</source>
        <translation>已拒绝 %1：它要加入 '%2'，不是此运行</translation>
    </message>
    <message>
        <source>this machine was given another secret than the head of the run: set the same TRAINYARD_RUN_SECRET (or --rdzv_conf key=) on all machines</source>
        <translation>本机的密钥与运行的主控端不同：请在所有机器上设置相同的 TRAINYARD_RUN_SECRET（或 --rdzv_conf key=）</translation>
    </message>
    <message>
        <source>%1 was turned away: it does not know the run's secret</source>
        <translation>已拒绝 %1：它不知道此运行的密钥</translation>
    </message>
    <message>
        <source>it does not say what it brings</source>
        <translation>对方未说明其资源</translation>
    </message>
    <message>
        <source>it sent a message that is not a JSON object</source>
        <translation>对方发送的消息不是 JSON 对象</translation>
    </message>
    <message>
        <source>it sent a message that is refused: %1</source>
        <translation>对方发送的消息被拒绝：%1</translation>
    </message>
    <message>
        <source>it sent output of no rank</source>
        <translation>对方发送了不属于任何 rank 的输出</translation>
    </message>
    <message>
        <source>order of trainyard %1</source>
        <translation>trainyard %1 的指令</translation>
    </message>
    <message>
        <source>trainyard %1 reads an order as JSON from its standard input, which this is not: it is started by `trainyard launch`, not by hand</source>
        <translation>trainyard %1 从标准输入读取 JSON 指令，而输入不是：它由 `trainyard launch` 启动，而非手动启动</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>must be a text</source>
        <translation>必须是文本</translation>
    </message>
    <message>
        <source>the order is of Trainyard %1, this machine has %2: install the same version on all machines</source>
        <translation>指令来自 Trainyard %1，本机为 %2：请在所有机器上安装相同版本</translation>
    </message>
    <message>
        <source>order of trainyard supervise</source>
        <translation>trainyard supervise 的指令</translation>
    </message>
    <message>
        <source>must be at least two heartbeats (heartbeat_s) long</source>
        <translation>必须至少为两个心跳（heartbeat_s）的长度</translation>
    </message>
    <message>
        <source>it orders something before it has let this machine in</source>
        <translation>对方在接纳本机之前就发出要求</translation>
    </message>
    <message>
        <source>its run is not the one that was joined before</source>
        <translation>它的运行不是先前加入的那个</translation>
    </message>
    <message>
        <source>the head of the run at %1 trains a recipe, this machine was told to start %2: give all machines the same</source>
        <translation>%1 上的运行主控端训练的是配方，而本机要启动 %2：请给所有机器相同的内容</translation>
    </message>
    <message>
        <source>run.yaml of the head</source>
        <translation>主控端的 run.yaml</translation>
    </message>
    <message>
        <source>%1 cannot keep what its ranks write: %2</source>
        <translation>%1 无法保存其 rank 写出的内容：%2</translation>
    </message>
    <message>
        <source>%1 is back in the run %2 at %3 with %4</source>
        <translation>%1 重新加入 %3 上的运行 %2，%4</translation>
    </message>
    <message>
        <source>%1 joined the run %2 at %3 with %4</source>
        <translation>%1 加入 %3 上的运行 %2，%4</translation>
    </message>
    <message>
        <source>ranks of an earlier generation are still ending on %1</source>
        <translation>%1 上早先一代的 rank 仍在结束</translation>
    </message>
    <message>
        <source>%1 cannot start its ranks: %2</source>
        <translation>%1 无法启动其 rank：%2</translation>
    </message>
    <message>
        <source>%1 of curves are only on %2: the link is slower than they were written</source>
        <translation>有 %1 的曲线只在 %2 上：链路比写入速度慢</translation>
    </message>
    <message>
        <source>[%1 of this rank's output are only in %2:%3: the link is slower than the rank writes]</source>
        <translation>[此 rank 的输出有 %1 只在 %2:%3：链路比 rank 的写入慢]</translation>
    </message>
    <message>
        <source>it sent a frame of %1 bytes, which none of Trainyard's is</source>
        <translation>对方发送了 %1 字节的帧，Trainyard 没有这样的帧</translation>
    </message>
    <message>
        <source>it sent a frame of kind %1, which nobody expects here</source>
        <translation>对方发送了类型为 %1 的帧，此处不应出现</translation>
    </message>
    <message>
        <source>a frame was changed on its way, or is not of this run</source>
        <translation>某个帧在途中被改动，或不属于此运行</translation>
    </message>
    <message>
        <source>a frame is missing or came twice</source>
        <translation>某个帧缺失或重复</translation>
    </message>
    <message>
        <source>it takes nothing any more</source>
        <translation>对方不再接收</translation>
    </message>
    <message>
        <source>it closed the connection</source>
        <translation>对方关闭了连接</translation>
    </message>
    <message>
        <source>cannot start the supervisor: %1</source>
        <translation>无法启动监督进程：%1</translation>
    </message>
    <message>
        <source>the supervisor ended before it started a rank: there may be too many processes or too little memory</source>
        <translation>监督进程在启动 rank 之前就结束了：可能进程过多或内存不足</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>信号 %1</translation>
    </message>
    <message>
        <source>signal %1 (SIG%2)</source>
        <translation>信号 %1（SIG%2）</translation>
    </message>
    <message>
        <source>at step %1 (%2)</source>
        <translation>在第 %1 步（%2）</translation>
    </message>
    <message>
        <source>before the first step</source>
        <translation>在第一步之前</translation>
    </message>
    <message>
        <source>at step %1</source>
        <translation>在第 %1 步</translation>
    </message>
    <message>
        <source>rank %1 on %2 was killed by %3 %4</source>
        <translation>%2 上的 rank %1 被%3终止，%4</translation>
    </message>
    <message>
        <source>rank %1 on %2 failed %3: %4</source>
        <translation>%2 上的 rank %1 %3失败：%4</translation>
    </message>
    <message>
        <source>rank %1 on %2 exited with code %3 %4</source>
        <translation>%2 上的 rank %1 %4以代码 %3 退出</translation>
    </message>
    <message>
        <source>rank %1 on %2 was killed by %3</source>
        <translation>%2 上的 rank %1 被%3终止</translation>
    </message>
    <message>
        <source>rank %1 on %2 failed: %3</source>
        <translation>%2 上的 rank %1 失败：%3</translation>
    </message>
    <message>
        <source>rank %1 on %2 exited with code %3</source>
        <translation>%2 上的 rank %1 以代码 %3 退出</translation>
    </message>
    <message>
        <source>%1 ranks cannot be started: give 1 to %2</source>
        <translation>无法启动 %1 个 rank：请给出 1 到 %2</translation>
    </message>
    <message>
        <source>this process is rank %1 of %2 already: ranks cannot be started from within one</source>
        <translation>此进程已是 %2 个 rank 中的 rank %1：不能从 rank 内启动 rank</translation>
    </message>
    <message>
        <source>ranks cannot be forked from this process, which has %1 threads (a process group is there already, or something was computed): start them first</source>
        <translation>无法从此进程派生 rank，它有 %1 个线程（已有进程组，或已进行计算）：请先启动 rank</translation>
    </message>
    <message>
        <source>%1something that is no exception of the standard library</source>
        <translation>%1不是标准库异常的对象</translation>
    </message>
    <message>
        <source>was killed by %1</source>
        <translation>被%1终止</translation>
    </message>
    <message>
        <source>ended the process with exit code %1</source>
        <translation>以退出代码 %1 结束了进程</translation>
    </message>
    <message>
        <source>has not ended within %1 s</source>
        <translation>在 %1 秒内未结束</translation>
    </message>
    <message>
        <source>rank %1 cannot be started: no pipe: %2</source>
        <translation>无法启动 rank %1：没有管道：%2</translation>
    </message>
    <message>
        <source>rank %1 cannot be started: %2</source>
        <translation>无法启动 rank %1：%2</translation>
    </message>
    <message>
        <source>rank %1 waits in %2</source>
        <translation>rank %1 在 %2 中等待</translation>
    </message>
    <message>
        <source>ranks %1 and %2 wait in %3</source>
        <translation>rank %1 和 %2 在 %3 中等待</translation>
    </message>
    <message>
        <source>start-up at step %1</source>
        <translation>第 %1 步的启动阶段</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>第 %2 步的 %1</translation>
    </message>
    <message>
        <source>%1, in %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>%1, after %2</source>
        <translation>%1，在 %2 之后</translation>
    </message>
    <message>
        <source>rank %1 is in %2</source>
        <translation>rank %1 处于 %2</translation>
    </message>
    <message>
        <source>rank %1 on %2 is in %3</source>
        <translation>%2 上的 rank %1 处于 %3</translation>
    </message>
    <message>
        <source>rank %1 on %2 is in %3 and %4</source>
        <translation>%2 上的 rank %1 处于 %3，且%4</translation>
    </message>
    <message>
        <source>%1: these are different collectives, the ranks do not call them in the same order</source>
        <translation>%1：这些是不同的集合操作，各 rank 的调用顺序不一致</translation>
    </message>
    <message>
        <source>rank %1 holds up the others: it takes %2 for a step, the others %3</source>
        <translation>rank %1 拖慢了其他 rank：它每步需 %2，其他为 %3</translation>
    </message>
    <message>
        <source>%1 has left before the ranks were started</source>
        <translation>%1 在 rank 启动前离开</translation>
    </message>
    <message>
        <source>machine 0 is %1, where the run's head is: give this machine another --machine_rank, 1 to %2</source>
        <translation>机器 0 是运行主控端所在的 %1：请给本机另一个 --machine_rank，1 到 %2</translation>
    </message>
    <message>
        <source>machine %1 does not exist in a run on %2 machines: give this machine a --machine_rank of 1 to %3</source>
        <translation>在 %2 台机器的运行中没有机器 %1：请给本机 1 到 %3 的 --machine_rank</translation>
    </message>
    <message>
        <source>machine %1 is %2 (%3) already: give this machine another --machine_rank</source>
        <translation>机器 %1 已是 %2（%3）：请给本机另一个 --machine_rank</translation>
    </message>
    <message>
        <source>all %1 machines of the run are there: start it with more --num_machines</source>
        <translation>运行的 %1 台机器都已就位：请以更大的 --num_machines 启动</translation>
    </message>
    <message>
        <source>%1 (%2) was turned away: %3</source>
        <translation>已拒绝 %1（%2）：%3</translation>
    </message>
    <message>
        <source>its earlier connection is not known to be lost yet</source>
        <translation>尚不知道其先前的连接已断开</translation>
    </message>
    <message>
        <source>%1 (%2) is back as machine %3 with %4</source>
        <translation>%1（%2）作为机器 %3 返回，%4</translation>
    </message>
    <message>
        <source>%1 (%2) joined as machine %3 with %4</source>
        <translation>%1（%2）作为机器 %3 加入，%4</translation>
    </message>
    <message>
        <source>%1: it waits for the next generation</source>
        <translation>%1：等待下一代</translation>
    </message>
    <message>
        <source>machine %1</source>
        <translation>机器 %1</translation>
    </message>
    <message>
        <source>%1 of %2 machines</source>
        <translation>%2 台机器中的 %1 台</translation>
    </message>
    <message>
        <source>the run is over: %1</source>
        <translation>运行已结束：%1</translation>
    </message>
    <message>
        <source>error while loading shared libraries</source>
        <translation>加载共享库时出错</translation>
    </message>
    <message>
        <source>its program could not be loaded: %1</source>
        <translation>无法加载其程序：%1</translation>
    </message>
    <message>
        <source>%1; its address space is limited to %2 (ulimit -v): raise the limit</source>
        <translation>%1；其地址空间限制为 %2（ulimit -v）：请提高限制</translation>
    </message>
    <message>
        <source>the kernel of %1 is %2: ranks may hang on kernels before 5.5, upgrade it</source>
        <translation>%1 的内核为 %2：5.5 之前的内核上 rank 可能挂起，请升级</translation>
    </message>
    <message>
        <source>%1 still has ranks of an earlier generation</source>
        <translation>%1 仍有早先一代的 rank</translation>
    </message>
    <message>
        <source>but does not end: its process %1 %2</source>
        <translation>但未结束：其进程 %1 %2</translation>
    </message>
    <message>
        <source>used no CPU for %1 s</source>
        <translation>已有 %1 秒未使用 CPU</translation>
    </message>
    <message>
        <source>message of a rank</source>
        <translation>rank 的消息</translation>
    </message>
    <message>
        <source>the memory limit was reached</source>
        <translation>已达到内存限制</translation>
    </message>
    <message>
        <source>the memory limit of its control group is %1</source>
        <translation>其控制组的内存限制为 %1</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: it held %1, %2</source>
        <translation>，因内存耗尽被内核终止：占用 %1，%2</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: %1</source>
        <translation>，因内存耗尽被内核终止：%1</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: the machine ran out of memory</source>
        <translation>，因内存耗尽被内核终止：机器内存耗尽</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: the machine ran out of memory; it held %1</source>
        <translation>，因内存耗尽被内核终止：机器内存耗尽；占用 %1</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: the machine ran out of memory; it held %1 and the machine has %2</source>
        <translation>，因内存耗尽被内核终止：机器内存耗尽；占用 %1，机器共有 %2</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: the machine ran out of memory; the machine has %1</source>
        <translation>，因内存耗尽被内核终止：机器内存耗尽；机器共有 %1</translation>
    </message>
    <message>
        <source>the recipe says %1 and %2 says %3: let them agree, or leave it out in one of them</source>
        <translation>配方写的是 %1，而 %2 写的是 %3：请使两者一致，或在其中之一去掉</translation>
    </message>
    <message>
        <source>%1 is of a copy of a run on another machine and is not executed on this one: read it, and launch a copy of it outside of that folder</source>
        <translation>%1 属于另一台机器上某次运行的副本，不在本机执行：请先阅读，再在该文件夹之外启动它的副本</translation>
    </message>
    <message>
        <source>'%1' needs the library that brings this device to LibTorch: name it with --device_library or in %2, or take cpu or cuda</source>
        <translation>'%1' 需要为 LibTorch 提供该设备的库：请用 --device_library 或在 %2 中指定，或用 cpu 或 cuda</translation>
    </message>
    <message>
        <source>%1 ranks are too many for the %2 cores of %3: give at most %4</source>
        <translation>对 %3 的 %2 个核心来说 %1 个 rank 过多：请至多给出 %4</translation>
    </message>
    <message>
        <source>%1 ranks cannot train: give 1 or more</source>
        <translation>%1 个 rank 无法训练：请给出 1 或更多</translation>
    </message>
    <message>
        <source>%1 gets %2 ranks: give 1 or more</source>
        <translation>%1 分到 %2 个 rank：请给出 1 或更多</translation>
    </message>
    <message>
        <source>%1 is no number of threads: give 1 to 1024, or 0 for cores / ranks</source>
        <translation>%1 不是线程数：请给出 1 到 1024，或 0 表示 核心数 / rank 数</translation>
    </message>
    <message>
        <source>%1 is no number of restarts: give 0 or more</source>
        <translation>%1 不是重启次数：请给出 0 或更大</translation>
    </message>
    <message>
        <source>%1 is not from 0 to %2, the number of machines</source>
        <translation>%1 不在 0 到机器数 %2 之间</translation>
    </message>
    <message>
        <source>%1 cannot be run: %2: build trainyard-worker, or name it in TRAINYARD_WORKER</source>
        <translation>无法运行 %1：%2：请构建 trainyard-worker，或在 TRAINYARD_WORKER 中指定</translation>
    </message>
    <message>
        <source>%1 is not a folder to start the program in</source>
        <translation>%1 不是可启动程序的文件夹</translation>
    </message>
    <message>
        <source>%1 cannot be run: %2</source>
        <translation>无法运行 %1：%2</translation>
    </message>
    <message>
        <source>the program '%1' was not found: check its name, or give its path</source>
        <translation>找不到程序 '%1'：请检查名称，或给出其路径</translation>
    </message>
    <message>
        <source>the run cannot be kept in %1: %2 is not a folder: choose another place with --run_dir or TRAINYARD_RUNS</source>
        <translation>运行无法保存在 %1：%2 不是文件夹：请用 --run_dir 或 TRAINYARD_RUNS 选择其他位置</translation>
    </message>
    <message>
        <source>the run cannot be kept in %1: %2 cannot be written: %3: choose another place with --run_dir or TRAINYARD_RUNS</source>
        <translation>运行无法保存在 %1：%2 不可写：%3：请用 --run_dir 或 TRAINYARD_RUNS 选择其他位置</translation>
    </message>
    <message>
        <source>the run cannot be kept in %1: %2 takes no new folders: %3: choose another place with --run_dir or TRAINYARD_RUNS</source>
        <translation>运行无法保存在 %1：%2 不能新建文件夹：%3：请用 --run_dir 或 TRAINYARD_RUNS 选择其他位置</translation>
    </message>
    <message>
        <source>the disk of %1 is full: %2 free, one checkpoint and the logs need %3: make room, or choose another place with --run_dir or TRAINYARD_RUNS</source>
        <translation>%1 所在磁盘已满：剩余 %2，一个 checkpoint 和日志需要 %3：请腾出空间，或用 --run_dir 或 TRAINYARD_RUNS 选择其他位置</translation>
    </message>
    <message>
        <source>pipeline stages work on the CPU alone in this version: set it to 1, or start with --cpu</source>
        <translation>此版本中流水线阶段只能在 CPU 上工作：请设为 1，或用 --cpu 启动</translation>
    </message>
    <message>
        <source>optimizer state lies on a disk with ranks on processors alone in this version, and these train on %1: set it to none, or start with --cpu</source>
        <translation>此版本中只有处理器上的 rank 才能将优化器状态放在磁盘上，而这些 rank 在 %1 上训练：请设为 none，或使用 --cpu 启动</translation>
    </message>
    <message>
        <source>weights lie on disk with ranks on processors alone in this version, and these train on %1: leave it out, or start with --cpu</source>
        <translation>此版本中只有处理器上的 rank 才能将权重放在磁盘上，而这些 rank 在 %1 上训练：请去掉，或使用 --cpu 启动</translation>
    </message>
    <message>
        <source>%1 is there already and not empty: name another folder</source>
        <translation>%1 已存在且非空：请指定其他文件夹</translation>
    </message>
    <message>
        <source>%1 names %2 ranks on %3 machines: change launch.machines in it, or leave the flag out</source>
        <translation>%1 写明 %3 台机器上的 %2 个 rank：请更改其中的 launch.machines，或去掉该选项</translation>
    </message>
    <message>
        <source>contradicts --device %1: leave one of them out</source>
        <translation>与 --device %1 矛盾：请去掉其一</translation>
    </message>
    <message>
        <source>is gone</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>is stopped (SIGSTOP)</source>
        <translation>已被暂停（SIGSTOP）</translation>
    </message>
    <message>
        <source>is held by a debugger</source>
        <translation>被调试器挂起</translation>
    </message>
    <message>
        <source>waits in the kernel</source>
        <translation>在内核中等待</translation>
    </message>
    <message>
        <source>waits in the kernel (%1)</source>
        <translation>在内核中等待（%1）</translation>
    </message>
    <message>
        <source>%1 %2: give 0 (nothing), 1 (stdout), 2 (stderr) or 3 (both), or for single ranks as in 0:1,1:3</source>
        <translation>%1 %2：请给出 0（无）、1（stdout）、2（stderr）或 3（两者），或对单个 rank 如 0:1,1:3</translation>
    </message>
    <message>
        <source>--local_ranks_filter %1: give the numbers of processes as in 0,2</source>
        <translation>--local_ranks_filter %1：请给出进程编号，例如 0,2</translation>
    </message>
    <message>
        <source>--log_dir %1 cannot be written: %2: name another folder</source>
        <translation>--log_dir %1 不可写：%2：请指定其他文件夹</translation>
    </message>
    <message>
        <source>cannot start a rank: no pipe: %1</source>
        <translation>无法启动 rank：没有管道：%1</translation>
    </message>
    <message>
        <source>cannot start rank %1: %2 is not a folder</source>
        <translation>无法启动 rank %1：%2 不是文件夹</translation>
    </message>
    <message>
        <source>cannot start rank %1: %2: %3</source>
        <translation>无法启动 rank %1：%2：%3</translation>
    </message>
    <message>
        <source>cannot start rank %1: it has no command</source>
        <translation>无法启动 rank %1：它没有命令</translation>
    </message>
    <message>
        <source>cannot start rank %1: no socket pair: %2</source>
        <translation>无法启动 rank %1：没有套接字对：%2</translation>
    </message>
    <message>
        <source>cannot start rank %1: %2</source>
        <translation>无法启动 rank %1：%2</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>no route</source>
        <translation>没有路由</translation>
    </message>
    <message>
        <source>no address</source>
        <translation>没有地址</translation>
    </message>
    <message>
        <source>another machine answers at this address</source>
        <translation>该地址应答的是另一台机器</translation>
    </message>
    <message>
        <source>too many files are open</source>
        <translation>打开的文件过多</translation>
    </message>
    <message>
        <source>it has no address</source>
        <translation>它没有地址</translation>
    </message>
    <message>
        <source>%1: no answer for %2 s</source>
        <translation>%1：%2 秒没有应答</translation>
    </message>
    <message>
        <source>what a host said about the network</source>
        <translation>主机关于网络的报告</translation>
    </message>
    <message>
        <source>it sent a part of no file</source>
        <translation>对方发送了不属于任何文件的部分</translation>
    </message>
    <message>
        <source>it sent a file that is no event file</source>
        <translation>对方发送的文件不是事件文件</translation>
    </message>
    <message>
        <source>%1 cannot start its ranks: there is no connection to its agent</source>
        <translation>%1 无法启动其 rank：与其代理没有连接</translation>
    </message>
    <message>
        <source>the connection to %1 was ended: %2</source>
        <translation>与 %1 的连接已终止：%2</translation>
    </message>
    <message>
        <source>the connection to the agent of %1 is gone: %2</source>
        <translation>与 %1 的代理的连接已断开：%2</translation>
    </message>
    <message>
        <source>no contact with %1 (%2) for %3</source>
        <translation>已有 %3 未与 %1（%2）联系</translation>
    </message>
    <message>
        <source>%1 left: %2</source>
        <translation>%1 已离开：%2</translation>
    </message>
    <message>
        <source>the link to %1 (%2) is slow: a heartbeat takes %3 there and back; training waits for it at every step</source>
        <translation>与 %1（%2）的链路很慢：一次心跳往返需 %3；训练每一步都要等待它</translation>
    </message>
    <message>
        <source>'%1' is no key=value: write join_timeout=600,last_call_timeout=30</source>
        <translation>'%1' 不是 键=值：请写 join_timeout=600,last_call_timeout=30</translation>
    </message>
    <message>
        <source>'%1' is said twice: say it once</source>
        <translation>'%1' 出现两次：请只给出一次</translation>
    </message>
    <message>
        <source>%1 needs a server beside the run, which Trainyard does not: give static (with --machine_rank) or c10d (without)</source>
        <translation>%1 需要运行之外的服务器，而 Trainyard 不需要：请给出 static（带 --machine_rank）或 c10d（不带）</translation>
    </message>
    <message>
        <source>'%1' is unknown%2</source>
        <translation>'%1' 未知%2</translation>
    </message>
    <message>
        <source>is missing: give the address of the first machine, where the others find it</source>
        <translation>缺失：请给出第一台机器的地址，供其他机器找到它</translation>
    </message>
    <message>
        <source>%1 is no port that machines can agree on: give 1 to 65535</source>
        <translation>%1 不是各机器可约定的端口：请给出 1 到 65535</translation>
    </message>
    <message>
        <source>is missing: give each machine its number, 0 to %1, or leave numbers to the order of arrival with --rdzv_backend c10d</source>
        <translation>缺失：请给每台机器编号，0 到 %1，或用 --rdzv_backend c10d 按到达顺序编号</translation>
    </message>
    <message>
        <source>%1 is not below the number of machines, %2</source>
        <translation>%1 不小于机器数 %2</translation>
    </message>
    <message>
        <source>--rdzv_conf: %1 means nothing here and is passed over</source>
        <translation>--rdzv_conf：%1 在此没有意义，已忽略</translation>
    </message>
    <message>
        <source>rendezvous %1</source>
        <translation>rendezvous %1</translation>
    </message>
    <message>
        <source>the machines have no secret in common: whoever reaches %1:%2 and knows the name '%3' can join; set the same %4 on all machines</source>
        <translation>各机器没有共同的密钥：任何能连到 %1:%2 且知道名称 '%3' 的人都能加入；请在所有机器上设置相同的 %4</translation>
    </message>
    <message>
        <source>%1 is an address of the internet: what ranks send each other is not encrypted; use a private network, or hosts over SSH (--hosts)</source>
        <translation>%1 是互联网地址：rank 之间的传输未加密；请使用专用网络，或通过 SSH 使用主机（--hosts）</translation>
    </message>
    <message>
        <source>the files in the run's folder %1 were deleted while it ran</source>
        <translation>运行期间其文件夹 %1 中的文件被删除</translation>
    </message>
    <message>
        <source>the run's folder %1 belongs to another run now</source>
        <translation>运行的文件夹 %1 现属于另一个运行</translation>
    </message>
    <message>
        <source>the run's folder %1 was deleted while it ran</source>
        <translation>运行期间其文件夹 %1 被删除</translation>
    </message>
    <message>
        <source>the run's folder %1 was moved to %2 while it ran</source>
        <translation>运行期间其文件夹 %1 被移到 %2</translation>
    </message>
    <message>
        <source>this machine's libcrypto refuses HMAC-SHA256: runs on several machines need it</source>
        <translation>本机的 libcrypto 不支持 HMAC-SHA256：多台机器上的运行需要它</translation>
    </message>
    <message>
        <source>the kernel gives no random bytes: a run's secret cannot be made</source>
        <translation>内核未提供随机字节：无法生成运行的密钥</translation>
    </message>
    <message>
        <source>the run's secret is empty: give at least a word</source>
        <translation>运行的密钥为空：请至少给出一个词</translation>
    </message>
    <message>
        <source>the run's secret is longer than 1024 bytes: give a shorter one</source>
        <translation>运行的密钥超过 1024 字节：请给出更短的</translation>
    </message>
    <message>
        <source>%1 cannot be reached without its agent: start the run on all its machines</source>
        <translation>没有代理就无法访问 %1：请在运行的所有机器上启动它</translation>
    </message>
    <message>
        <source>cannot watch the ranks: no descriptor is free for signals</source>
        <translation>无法监视 rank：没有可用于信号的描述符</translation>
    </message>
    <message>
        <source>the launcher of this run was killed: its ranks end with it</source>
        <translation>此运行的启动器已被终止：其 rank 随之结束</translation>
    </message>
    <message>
        <source>SIGUSR1 is handed on to the ranks</source>
        <translation>SIGUSR1 转发给各 rank</translation>
    </message>
    <message>
        <source>kill asked: Ctrl-C was pressed again</source>
        <translation>要求 kill：再次按下了 Ctrl-C</translation>
    </message>
    <message>
        <source>%1 of the log of rank %2 could not be written</source>
        <translation>rank %2 的日志有 %1 无法写入</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>taken out of the queue before it started</source>
        <translation>在启动前从队列中移除</translation>
    </message>
    <message>
        <source>finished after %1</source>
        <translation>在 %1 后完成</translation>
    </message>
    <message>
        <source>stopped after %1</source>
        <translation>在 %1 后停止</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>stopped at %1 because %2; the newest good checkpoint is checkpoint_%3</source>
        <translation>停止于%1，原因：%2；最新的有效 checkpoint 为 checkpoint_%3</translation>
    </message>
    <message>
        <source>stopped at %1 because %2; there is no good checkpoint</source>
        <translation>停止于%1，原因：%2；没有有效的 checkpoint</translation>
    </message>
    <message>
        <source>stopped at %1 after a checkpoint</source>
        <translation>保存 checkpoint 后停止于%1</translation>
    </message>
    <message>
        <source>stopped at %1, an earlier checkpoint is kept</source>
        <translation>停止于%1，保留了早先的 checkpoint</translation>
    </message>
    <message>
        <source>stopped at %1, no checkpoint</source>
        <translation>停止于%1，没有 checkpoint</translation>
    </message>
    <message>
        <source>killed at %1, an earlier checkpoint is kept</source>
        <translation>终止于%1，保留了早先的 checkpoint</translation>
    </message>
    <message>
        <source>killed at %1, no checkpoint</source>
        <translation>终止于%1，没有 checkpoint</translation>
    </message>
    <message>
        <source>finished %1 steps in %2</source>
        <translation>在 %2 内完成 %1 步</translation>
    </message>
    <message>
        <source>finished at once: the checkpoint that it went on from has all %1 steps</source>
        <translation>立即完成：所恢复的 checkpoint 已有全部 %1 步</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>validation loss %1</source>
        <translation>验证损失 %1</translation>
    </message>
    <message>
        <source>rank %1 on %2 was killed%3</source>
        <translation>%2 上的 rank %1 被终止%3</translation>
    </message>
    <message>
        <source>%1 was lost: %2</source>
        <translation>与 %1 失去联系：%2</translation>
    </message>
    <message>
        <source>%1 is taken away: %2</source>
        <translation>%1 被移除：%2</translation>
    </message>
    <message>
        <source>a rank failed, ending the others</source>
        <translation>有 rank 失败，正在结束其他 rank</translation>
    </message>
    <message>
        <source>%1: it is stopped</source>
        <translation>%1：正在停止运行</translation>
    </message>
    <message>
        <source>%1: its ranks were ended, nothing more was written there</source>
        <translation>%1：其 rank 已结束，那里不再写入</translation>
    </message>
    <message>
        <source>its ranks were asked to end</source>
        <translation>已要求其 rank 结束</translation>
    </message>
    <message>
        <source>it was stopped at step %1, its checkpoint is in %2</source>
        <translation>运行在第 %1 步停止，其 checkpoint 在 %2</translation>
    </message>
    <message>
        <source>it was stopped at step %1 without a checkpoint</source>
        <translation>运行在第 %1 步停止，没有 checkpoint</translation>
    </message>
    <message>
        <source>%1: %2; what was in the folder before is not there</source>
        <translation>%1：%2；文件夹中先前的内容已不在</translation>
    </message>
    <message>
        <source>waiting for machines</source>
        <translation>等待机器</translation>
    </message>
    <message>
        <source>starting again</source>
        <translation>正在重新启动</translation>
    </message>
    <message>
        <source>a machine</source>
        <translation>一台机器</translation>
    </message>
    <message>
        <source>a machine did not join within %1</source>
        <translation>有一台机器未在 %1 内加入</translation>
    </message>
    <message>
        <source>%1 did not join within %2</source>
        <translation>%1未在 %2 内加入</translation>
    </message>
    <message>
        <source>waiting for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>%1, up to %2</source>
        <translation>%1，最多 %2</translation>
    </message>
    <message>
        <source>starting %1</source>
        <translation>正在启动 %1</translation>
    </message>
    <message>
        <source>started %1 on %2</source>
        <translation>已在 %2 上启动 %1</translation>
    </message>
    <message>
        <source>started %1 on %2 (%3), %4 thread each</source>
        <translation>已在 %2（%3）上启动 %1，每个 %4 个线程</translation>
    </message>
    <message>
        <source>started %1 on %2 (%3), %4 threads each</source>
        <translation>已在 %2（%3）上启动 %1，每个 %4 个线程</translation>
    </message>
    <message>
        <source>the run was asked to stop</source>
        <translation>已要求运行停止</translation>
    </message>
    <message>
        <source>%1 restarts are used up</source>
        <translation>%1 次重启已用完</translation>
    </message>
    <message>
        <source>it would fail again</source>
        <translation>它会再次失败</translation>
    </message>
    <message>
        <source>%1 times in a row it failed before the first step</source>
        <translation>连续 %1 次在第一步之前失败</translation>
    </message>
    <message>
        <source>a machine has come that the run can use: the ranks are sent SIGTERM and start again with it</source>
        <translation>来了一台运行可用的机器：向各 rank 发送 SIGTERM，并与它一起重新启动</translation>
    </message>
    <message>
        <source>a machine has come that the run can use: the ranks save a checkpoint and start again with it</source>
        <translation>来了一台运行可用的机器：各 rank 保存 checkpoint，并与它一起重新启动</translation>
    </message>
    <message>
        <source>all ranks start again, on more machines</source>
        <translation>所有 rank 在更多机器上重新启动</translation>
    </message>
    <message>
        <source>all ranks start again from the newest checkpoint, on more machines</source>
        <translation>所有 rank 从最新的 checkpoint 在更多机器上重新启动</translation>
    </message>
    <message>
        <source>the ranks are not started again: %1</source>
        <translation>不再重新启动 rank：%1</translation>
    </message>
    <message>
        <source>all ranks start again</source>
        <translation>所有 rank 重新启动</translation>
    </message>
    <message>
        <source>all ranks start again from the newest checkpoint</source>
        <translation>所有 rank 从最新的 checkpoint 重新启动</translation>
    </message>
    <message>
        <source>all ranks start again from the beginning, there is no checkpoint</source>
        <translation>所有 rank 从头重新启动，没有 checkpoint</translation>
    </message>
    <message>
        <source>restart %1 of %2: %3 in %4</source>
        <translation>第 %1 次重启（共 %2 次），%4 后进行：%3</translation>
    </message>
    <message>
        <source>restart %1 of %2: %3</source>
        <translation>第 %1 次重启（共 %2 次）：%3</translation>
    </message>
    <message>
        <source>the ranks failed before it was done; they start again</source>
        <translation>在完成之前 rank 失败；正在重新启动</translation>
    </message>
    <message>
        <source>queued on %1</source>
        <translation>已在 %1 上排队</translation>
    </message>
    <message>
        <source>its turn has come</source>
        <translation>轮到它了</translation>
    </message>
    <message>
        <source>the run is not in the queue: it has started</source>
        <translation>运行不在队列中：它已开始</translation>
    </message>
    <message>
        <source>starts now, before its turn</source>
        <translation>现在提前启动</translation>
    </message>
    <message>
        <source>a run in the queue takes stop, kill, note, move and start, not %1</source>
        <translation>队列中的运行接受 stop、kill、note、move 和 start，不接受 %1</translation>
    </message>
    <message>
        <source>move needs values.place, a whole number from 1 on</source>
        <translation>move 需要 values.place，从 1 起的整数</translation>
    </message>
    <message>
        <source>is number %1 in the queue now</source>
        <translation>现在排在队列第 %1 位</translation>
    </message>
    <message>
        <source>unknown request '%1'%2</source>
        <translation>未知的请求 '%1'%2</translation>
    </message>
    <message>
        <source>a note needs values.text</source>
        <translation>备注需要 values.text</translation>
    </message>
    <message>
        <source>%1 asked</source>
        <translation>请求 %1</translation>
    </message>
    <message>
        <source>%1 asked from the %2</source>
        <translation>来自 %2 的 %1 请求</translation>
    </message>
    <message>
        <source>a program of one's own takes stop, kill and note, not %1</source>
        <translation>自己的程序接受 stop、kill 和 note，不接受 %1</translation>
    </message>
    <message>
        <source>no ranks run now</source>
        <translation>当前没有 rank 在运行</translation>
    </message>
    <message>
        <source>rank 0 has ended</source>
        <translation>rank 0 已结束</translation>
    </message>
    <message>
        <source>stopping: the ranks were sent %1</source>
        <translation>正在停止：已向各 rank 发送 %1</translation>
    </message>
    <message>
        <source>stopping: rank 0 was asked to save a checkpoint at the next step</source>
        <translation>正在停止：已要求 rank 0 在下一步保存 checkpoint</translation>
    </message>
    <message>
        <source>stopping after the step under way, without a checkpoint</source>
        <translation>当前步完成后停止，不保存 checkpoint</translation>
    </message>
    <message>
        <source>stopping now</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>the ranks did not end within %1 after they were asked to and are killed</source>
        <translation>rank 在被要求结束后 %1 内未结束，将被强制终止</translation>
    </message>
    <message>
        <source>rank %1 on %2 has been silent for %3</source>
        <translation>%2 上的 rank %1 已有 %3 没有响应</translation>
    </message>
    <message>
        <source>no progress for %1</source>
        <translation>已有 %1 没有进展</translation>
    </message>
    <message>
        <source>it hangs, nothing has moved for %1: %2</source>
        <translation>已挂起，%1 没有任何动静：%2</translation>
    </message>
    <message>
        <source>rank %1 on %2 may hang: it has written nothing for %3 and %4</source>
        <translation>%2 上的 rank %1 可能挂起：已有 %3 没有输出，且%4</translation>
    </message>
    <message>
        <source>curves of the program: %1</source>
        <translation>程序的曲线：%1</translation>
    </message>
    <message>
        <source>curves of the program on %1: %2</source>
        <translation>%1 上程序的曲线：%2</translation>
    </message>
    <message>
        <source>curves of %1 are not written any more: %2</source>
        <translation>不再写入 %1 的曲线：%2</translation>
    </message>
    <message>
        <source>rank %1 on %2 is heard again after %3</source>
        <translation>%2 上的 rank %1 在 %3 后恢复响应</translation>
    </message>
    <message>
        <source>stopping: %1</source>
        <translation>正在停止：%1</translation>
    </message>
</context>
<context>
    <name>engine/models</name>
    <message>
        <source>head of %1</source>
        <translation>%1 的输出头</translation>
    </message>
    <message>
        <source>the model %1</source>
        <translation>模型 %1</translation>
    </message>
    <message>
        <source>%1 has no parameters, so there is nothing to train</source>
        <translation>%1 没有参数，因此无可训练</translation>
    </message>
    <message>
        <source>%1 has the parameter %2 in %3: parameters must be float32, and training.mixed_precision makes products of 16 bits</source>
        <translation>%1 的参数 %2 为 %3：参数须为 float32，由 training.mixed_precision 以 16 位计算乘积</translation>
    </message>
    <message>
        <source>%1 gave no outputs</source>
        <translation>%1 没有给出输出</translation>
    </message>
    <message>
        <source>model.script: the module in %1 has no method forward</source>
        <translation>model.script：%1 中的模块没有 forward 方法</translation>
    </message>
    <message>
        <source>model.script: %1 is no file of torch.jit.save, or it is damaged (%2): write it with torch.jit.save(torch.jit.script(module), file)</source>
        <translation>model.script：%1 不是 torch.jit.save 的文件，或已损坏（%2）：请用 torch.jit.save(torch.jit.script(module), file) 写出</translation>
    </message>
    <message>
        <source>the module in %1</source>
        <translation>%1 中的模块</translation>
    </message>
    <message>
        <source>%1 wants the input '%2', and a batch has %3: name the arguments of its forward like these</source>
        <translation>%1 需要输入 '%2'，而 batch 中有 %3：请按这些名称命名其 forward 的参数</translation>
    </message>
    <message>
        <source>%1 gives %2, and must give one tensor</source>
        <translation>%1 给出 %2，而须给出一个张量</translation>
    </message>
    <message>
        <source>%1 stopped: %2</source>
        <translation>%1 已中止：%2</translation>
    </message>
    <message>
        <source>model.%1: %2</source>
        <translation>model.%1：%2</translation>
    </message>
    <message>
        <source>model_type '%1' has no network in this version</source>
        <translation>此版本没有 model_type '%1' 的网络</translation>
    </message>
    <message>
        <source>lora.target_modules: %1 has its weight as [in, out], which PEFT does not adapt beside lora.target_parameters: name %2.weight there</source>
        <translation>lora.target_modules：%1 的权重为 [in, out]，PEFT 不能在 lora.target_parameters 之外适配它：请在那里写 %2.weight</translation>
    </message>
    <message>
        <source>lora.target_modules: none of %1 is the end of a module's name or matches one: there are %2</source>
        <translation>lora.target_modules：%1 中没有一项是模块名称的结尾或与之匹配：现有 %2</translation>
    </message>
    <message>
        <source>lora.target_parameters: %1 is not multiplied with as a matrix, and gets no adapter: leave it out</source>
        <translation>lora.target_parameters：%1 不作为矩阵相乘，不能有适配器：请去掉</translation>
    </message>
    <message>
        <source>lora.target_parameters: none of %1 is the end of a parameter's name, such as</source>
        <translation>lora.target_parameters：%1 都不是参数名称的结尾，例如</translation>
    </message>
    <message>
        <source>lora.target_parameters: none of %1 is the end of a parameter's name, such as %2</source>
        <translation>lora.target_parameters：%1 都不是参数名称的结尾，例如 %2</translation>
    </message>
    <message>
        <source>data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>two plug-ins, %1 and %2, have a %3 named '%4': name one of them in plugins, or rename it</source>
        <translation>两个插件 %1 和 %2 都有名为 '%4' 的 %3：请在 plugins 中只指定其中一个，或将其改名</translation>
    </message>
    <message>
        <source>%1 is a shared library and no plug-in, because it has no entry %2(): write TRAINYARD_PLUGIN(...) in one of its files</source>
        <translation>%1 是共享库而非插件，因为没有入口 %2()：请在其某个源文件中写上 TRAINYARD_PLUGIN(...)</translation>
    </message>
    <message>
        <source>%1 was built for version %2 of the plug-in interface, and this Trainyard has version %3: build it again with this Trainyard's headers</source>
        <translation>%1 针对插件接口版本 %2 构建，而此 Trainyard 为版本 %3：请用此 Trainyard 的头文件重新构建</translation>
    </message>
    <message>
        <source>%1 was built against LibTorch %2.%3, and this Trainyard has %4.%5: build it again</source>
        <translation>%1 针对 LibTorch %2.%3 构建，而此 Trainyard 使用 %4.%5：请重新构建</translation>
    </message>
    <message>
        <source>'%1' is a %2 of a plug-in, and none is loaded: name its shared library in plugins</source>
        <translation>'%1'（%2）来自插件，而没有加载任何插件：请在 plugins 中指定其共享库</translation>
    </message>
    <message>
        <source>%1 has no %2, so none is named '%3'</source>
        <translation>%1 中没有 %2，因此也没有名为 '%3' 的</translation>
    </message>
    <message>
        <source>%1 has no %2 named '%3'%4</source>
        <translation>%1 中没有名为 '%3' 的 %2%4</translation>
    </message>
    <message>
        <source>it made nothing</source>
        <translation>它没有创建任何内容</translation>
    </message>
    <message>
        <source>the %1 '%2' of the plug-in %3: %4</source>
        <translation>插件 %3 的 %1 '%2'：%4</translation>
    </message>
    <message>
        <source>plugins: %1</source>
        <translation>plugins：%1</translation>
    </message>
    <message>
        <source>the loss '%1' gives values of shape [%2], and the labels have the shape [%3]: give a value for each sample, or for each label</source>
        <translation>损失函数 '%1' 给出形状为 [%2] 的值，而标签的形状为 [%3]：请为每个样本或每个标签给出一个值</translation>
    </message>
    <message>
        <source>is %1, but %2 is %3, and both are the same: keep one</source>
        <translation>为 %1，而 %2 为 %3，两者是同一项：请只保留一个</translation>
    </message>
    <message>
        <source>must be a whole number from %1 to %2 or null</source>
        <translation>必须是 %1 到 %2 的整数或 null</translation>
    </message>
    <message>
        <source>must be a whole number from %1 to %2</source>
        <translation>必须是 %1 到 %2 的整数</translation>
    </message>
    <message>
        <source>must be a number from %1 to below %2</source>
        <translation>必须是不小于 %1 且小于 %2 的数</translation>
    </message>
    <message>
        <source>must be a number from %1 to %2</source>
        <translation>必须是 %1 到 %2 的数</translation>
    </message>
    <message>
        <source>must be a table or a list</source>
        <translation>必须是表或列表</translation>
    </message>
    <message>
        <source>%1: this version computes %2 only, not %3</source>
        <translation>%1：此版本只支持 %2，不支持 %3</translation>
    </message>
    <message>
        <source>%1: this version does not know the field, so it cannot tell what it changes (%2 is no field of %3): remove it if it changes nothing of training</source>
        <translation>%1：此版本不认识该字段，因此无法判断其影响（%2 不是 %3 的字段）：如果它不影响训练，请移除</translation>
    </message>
    <message>
        <source>%1 is not a model configuration: it is not a JSON object</source>
        <translation>%1 不是模型配置：它不是 JSON 对象</translation>
    </message>
    <message>
        <source>%1 is not a model configuration: it has no model_type</source>
        <translation>%1 不是模型配置：其中没有 model_type</translation>
    </message>
    <message>
        <source>%1 describes a model of type '%2', and this version knows %3</source>
        <translation>%1 描述的是 '%2' 类型的模型，而此版本支持 %3</translation>
    </message>
    <message>
        <source>%1 (%2) must be a multiple of %3 (%4)</source>
        <translation>%1（%2）必须是 %3（%4）的倍数</translation>
    </message>
    <message>
        <source>%1 (%2) must be a multiple of num_key_value_heads (%3)</source>
        <translation>%1（%2）必须是 num_key_value_heads（%3）的倍数</translation>
    </message>
    <message>
        <source>%1 experts cannot be chosen of %2</source>
        <translation>无法从 %2 个专家中选择 %1 个</translation>
    </message>
    <message>
        <source>must list full_attention or sliding_attention for each of the %1 blocks</source>
        <translation>必须为全部 %1 个块逐一列出 full_attention 或 sliding_attention</translation>
    </message>
    <message>
        <source>image_size (%1) must be a multiple of patch_size (%2)</source>
        <translation>image_size（%1）必须是 patch_size（%2）的倍数</translation>
    </message>
    <message>
        <source>Number of classes; 1: a number.</source>
        <translation>类别数；1：一个数值。</translation>
    </message>
    <message>
        <source>Names of the classes by their numbers.</source>
        <translation>按编号给出的类别名称。</translation>
    </message>
    <message>
        <source>missing: give the name that a plug-in has for its model</source>
        <translation>缺失：请填写插件为其模型所取的名称</translation>
    </message>
    <message>
        <source>model_type '%1' is not known to this version%2: use %3</source>
        <translation>此版本不支持 model_type '%1'%2：请使用 %3</translation>
    </message>
    <message>
        <source>n_embd (%1) must be a multiple of n_head (%2)</source>
        <translation>n_embd（%1）必须是 n_head（%2）的倍数</translation>
    </message>
    <message>
        <source>blocks with cross-attention need the states of an encoder, which no data set of this version has: set it to false</source>
        <translation>带交叉注意力的块需要编码器的状态，而此版本的任何数据集都没有：请设为 false</translation>
    </message>
    <message>
        <source>%1 has trained parameters of its own, which this version does not have: take another one, e.g. gelu_new</source>
        <translation>%1 有自己的可训练参数，此版本不支持：请选择其他激活函数，例如 gelu_new</translation>
    </message>
    <message>
        <source>'%1' is not known%2</source>
        <translation>'%1' 未知%2</translation>
    </message>
    <message>
        <source>'%1' is not known%2: use %3, %4 or %5</source>
        <translation>'%1' 未知%2：请使用 %3、%4 或 %5</translation>
    </message>
    <message>
        <source>a single class is always right: give num_labels from 2 on</source>
        <translation>只有一个类别时结果总是正确：num_labels 请使用 2 或更大的值</translation>
    </message>
    <message>
        <source>must name the classes 0 to %1, such as {0: negative, 1: positive}</source>
        <translation>必须为类别 0 到 %1 命名，例如 {0: negative, 1: positive}</translation>
    </message>
    <message>
        <source>must list the channels of each stage, such as [64, 128]</source>
        <translation>必须列出每个阶段的通道数，例如 [64, 128]</translation>
    </message>
    <message>
        <source>must list the layers of each stage, such as [2, 2]</source>
        <translation>必须列出每个阶段的层数，例如 [2, 2]</translation>
    </message>
    <message>
        <source>has %1 stages, and hidden_sizes has %2</source>
        <translation>有 %1 个阶段，而 hidden_sizes 有 %2 个</translation>
    </message>
    <message>
        <source>'%1' is not known: use basic or bottleneck</source>
        <translation>'%1' 未知：请使用 basic 或 bottleneck</translation>
    </message>
    <message>
        <source>%1 is no multiple of 4, which bottlenecks need</source>
        <translation>%1 不是 4 的倍数，而 bottleneck 需要 4 的倍数</translation>
    </message>
    <message>
        <source>must be a table such as {rope_type: default, rope_theta: 10000.0}</source>
        <translation>必须是表，例如 {rope_type: default, rope_theta: 10000.0}</translation>
    </message>
    <message>
        <source>the rope_type 'su' is not known: it is the former name of longrope, which only Phi-3 has under it: write longrope</source>
        <translation>未知的 rope_type “su”：它是 longrope 的旧名，只有 Phi-3 使用：请写 longrope</translation>
    </message>
    <message>
        <source>the rope_type '%1' is not known%2</source>
        <translation>rope_type '%1' 未知%2</translation>
    </message>
    <message>
        <source>the rope_type %1 needs %2</source>
        <translation>rope_type %1 需要 %2</translation>
    </message>
    <message>
        <source>the rope_type %1 has no %2</source>
        <translation>rope_type %1 没有 %2</translation>
    </message>
    <message>
        <source>%1 must be a number above 0</source>
        <translation>%1 必须是大于 0 的数</translation>
    </message>
    <message>
        <source>%1 must be a whole number from 1 on</source>
        <translation>%1 必须是不小于 1 的整数</translation>
    </message>
    <message>
        <source>%1 of %2 elements of a head would be turned, and they go in pairs: change the heads' width or partial_rotary_factor</source>
        <translation>每个头的 %2 个元素中有 %1 个将被旋转，而旋转须成对进行：请更改头的宽度或 partial_rotary_factor</translation>
    </message>
    <message>
        <source>%1 has %2 numbers, and a head turns %3 pairs</source>
        <translation>%1 有 %2 个数，而每个头旋转 %3 对</translation>
    </message>
    <message>
        <source>rope_parameters: %1 is %2, which has no effect: transformers does not read it for the rope_type %3 (it reads attention_factor)</source>
        <translation>rope_parameters：%1 为 %2，不起作用：transformers 对 rope_type %3 不读取它（读取的是 attention_factor）</translation>
    </message>
    <message>
        <source>rope_parameters: %1 is %2, which has no effect: transformers does not read it for the rope_type %3</source>
        <translation>rope_parameters：%1 为 %2，不起作用：transformers 对 rope_type %3 不读取它</translation>
    </message>
    <message>
        <source>it has %1 instead, so write it under the model's names with `trainyard checkpoints rename %2 OUT --table T`, where the file T has the line '%3* -&gt; *'</source>
        <translation>其中有的是 %1；请用 `trainyard checkpoints rename %2 OUT --table T` 以模型的名称写出，文件 T 中包含一行 '%3* -&gt; *'</translation>
    </message>
    <message>
        <source>it has names such as %1, so it is of another model, or `trainyard checkpoints rename %2 OUT --table T` must give its tensors the model's names</source>
        <translation>其中的名称如 %1，因此属于另一个模型，或者需用 `trainyard checkpoints rename %2 OUT --table T` 把张量改为模型的名称</translation>
    </message>
    <message>
        <source>'%1' is not known: give an activation function, or gated- and one, such as gated-gelu</source>
        <translation>'%1' 未知：请填写激活函数，或在其前加 gated-，例如 gated-gelu</translation>
    </message>
    <message>
        <source>must be a multiple of 4</source>
        <translation>必须是 4 的倍数</translation>
    </message>
    <message>
        <source>must be more than half of relative_attention_num_buckets (%1)</source>
        <translation>必须大于 relative_attention_num_buckets（%1）的一半</translation>
    </message>
    <message>
        <source>%1 has trained parameters of its own, which this version does not have: take another one, e.g. gelu</source>
        <translation>%1 有自己的可训练参数，此版本不支持：请选择其他激活函数，例如 gelu</translation>
    </message>
</context>
<context>
    <name>engine/observe</name>
    <message>
        <source>'%1' has fewer elements than its shape says</source>
        <translation>'%1' 的元素少于其形状所示</translation>
    </message>
    <message>
        <source>%1 is missing: %2 looks there for tensors, copy it again</source>
        <translation>缺少 %1：%2 指明其中有张量，请重新复制</translation>
    </message>
    <message>
        <source>%1 names %2 tensors that are not in their files, such as '%3' in %4</source>
        <translation>%1 列出的 %2 个张量不在对应文件中，例如 %4 中的 '%3'</translation>
    </message>
    <message>
        <source>%1 holds no checkpoint: expected weights (.safetensors, .bin, .gguf), .metadata, or the files of save_state</source>
        <translation>%1 中没有 checkpoint：应有权重（.safetensors、.bin、.gguf）、.metadata 或 save_state 的文件</translation>
    </message>
    <message>
        <source>world size</source>
        <translation>world size</translation>
    </message>
    <message>
        <source>saved at</source>
        <translation>保存时间</translation>
    </message>
    <message>
        <source>not good</source>
        <translation>不完好</translation>
    </message>
    <message>
        <source>%1, %2 files</source>
        <translation>%1，%2 个文件</translation>
    </message>
    <message>
        <source>and %1</source>
        <translation>和 %1</translation>
    </message>
    <message>
        <source>and %1, %2 files</source>
        <translation>和 %1，%2 个文件</translation>
    </message>
    <message>
        <source>PEFT adapter, %1</source>
        <translation>PEFT 适配器，%1</translation>
    </message>
    <message>
        <source>%1 has names of wrapped modules, whose part %2 is left out on loading</source>
        <translation>%1 含有被包装模块的名称，加载时会去掉其中的 %2</translation>
    </message>
    <message>
        <source>training state</source>
        <translation>训练状态</translation>
    </message>
    <message>
        <source>an adapter is one file: leave the size of shards out</source>
        <translation>适配器是单个文件：请省略分片大小</translation>
    </message>
    <message>
        <source>%1 is no configuration of an adapter</source>
        <translation>%1 不是适配器的配置</translation>
    </message>
    <message>
        <source>%1 is an adapter of a model that began with random weights, which nothing else could load it on: write the model with it (trainyard merge-adapter %2 -o FOLDER)</source>
        <translation>%1 是某个从随机权重开始的模型的适配器，其他程序无法将其加载到该模型上：请连同它一起写出模型（trainyard merge-adapter %2 -o FOLDER）</translation>
    </message>
    <message>
        <source>name a checkpoint</source>
        <translation>请指定 checkpoint</translation>
    </message>
    <message>
        <source>there are %1 shares for %2 checkpoints: give one for each</source>
        <translation>%2 个 checkpoint 却有 %1 个比例：请为每个指定一个</translation>
    </message>
    <message>
        <source>a folder for ranks has a file for each of them: leave the size of shards out</source>
        <translation>用于多个 rank 的文件夹中每个 rank 一个文件：请省略分片大小</translation>
    </message>
    <message>
        <source>%1 has no config.json, without which transformers cannot load the weights: put it beside them, or use `convert`</source>
        <translation>%1 没有 config.json，缺少它 transformers 无法加载权重：请将其放在权重旁，或使用 `convert`</translation>
    </message>
    <message>
        <source>the weights are written as %1, as the training was given them or its checkpoint.export_dtype says; choose fp32 to have them as they were trained</source>
        <translation>权重按 %1 写入，与训练得到的权重或其 checkpoint.export_dtype 一致；如需训练时的精度，请选择 fp32</translation>
    </message>
    <message>
        <source>%1 items</source>
        <translation>%1 项</translation>
    </message>
    <message>
        <source>%1 entries</source>
        <translation>%1 个条目</translation>
    </message>
    <message>
        <source>an object of %1</source>
        <translation>%1 类型的对象</translation>
    </message>
    <message>
        <source>a pickled value</source>
        <translation>一个 pickle 值</translation>
    </message>
    <message>
        <source>GGUF version %1</source>
        <translation>GGUF 版本 %1</translation>
    </message>
    <message>
        <source>%1 is %2, which no file of a checkpoint is</source>
        <translation>%1 %2，检查点的文件不会如此</translation>
    </message>
    <message>
        <source>%1 is not JSON, or cut</source>
        <translation>%1 不是 JSON，或被截断</translation>
    </message>
    <message>
        <source>distributed checkpoint, %1 files</source>
        <translation>分布式 checkpoint，%1 个文件</translation>
    </message>
    <message>
        <source>ZeRO, not whole</source>
        <translation>ZeRO，不完整</translation>
    </message>
    <message>
        <source>rank %1.</source>
        <translation>rank %1.</translation>
    </message>
    <message>
        <source>best %1</source>
        <translation>最佳的 %1 个之一</translation>
    </message>
    <message>
        <source>last %1</source>
        <translation>最后的 %1 个之一</translation>
    </message>
    <message>
        <source>every %1 steps</source>
        <translation>每 %1 步</translation>
    </message>
    <message>
        <source>the policy keeps it</source>
        <translation>按规则保留</translation>
    </message>
    <message>
        <source>run %1 went on from it</source>
        <translation>运行 %1 由此继续</translation>
    </message>
    <message>
        <source>a policy counts checkpoints: use 1 or more</source>
        <translation>规则按 checkpoint 个数计：请使用 1 或更大的值</translation>
    </message>
    <message>
        <source>a policy without a rule keeps nothing: say how many to keep, the best, the last or every so many steps, 1 or more</source>
        <translation>空规则不会保留任何内容：请指定保留数量，即最佳的、最后的或每隔若干步的，1 或更大的值</translation>
    </message>
    <message>
        <source>no checkpoint has a metric, so none is the best: keep the last ones, or those every so many steps</source>
        <translation>没有 checkpoint 带有指标，因此没有最佳者：请保留最后的，或每隔若干步的</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>the newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>broken, and only removed when asked for</source>
        <translation>损坏，仅在要求时移除</translation>
    </message>
    <message>
        <source>no rule keeps it</source>
        <translation>没有规则保留它</translation>
    </message>
    <message>
        <source>%1 stays: %2</source>
        <translation>%1 保留：%2</translation>
    </message>
    <message>
        <source>%1 stays: it was pinned meanwhile</source>
        <translation>%1 保留：其间已被固定</translation>
    </message>
    <message>
        <source>%1 stays: it was written anew meanwhile</source>
        <translation>%1 保留：其间已被重新写入</translation>
    </message>
    <message>
        <source>%1 has changed: open the checkpoint again</source>
        <translation>%1 已更改：请重新打开 checkpoint</translation>
    </message>
    <message>
        <source>%1 has more than %2 files to read at once</source>
        <translation>%1 中需要同时读取的文件超过 %2 个</translation>
    </message>
    <message>
        <source>%1 is cut</source>
        <translation>%1 被截断</translation>
    </message>
    <message>
        <source>%1 is damaged: its elements are of another type</source>
        <translation>%1 已损坏：其元素属于其他类型</translation>
    </message>
    <message>
        <source>%1 became shorter while it was read: it ends at byte %2</source>
        <translation>%1 在读取时变短：它在字节 %2 处结束</translation>
    </message>
    <message>
        <source>'%1' lies in boxes, and is too large to put together</source>
        <translation>'%1' 分散在多个块中，过大而无法拼合</translation>
    </message>
    <message>
        <source>'%1' is packed (%2): its elements have no bytes of their own</source>
        <translation>'%1' 为打包格式（%2）：其元素没有单独的字节</translation>
    </message>
    <message>
        <source>'%1' is of the type %2, of which elements cannot be read as numbers</source>
        <translation>'%1' 的类型为 %2，其元素无法作为数值读取</translation>
    </message>
    <message>
        <source>distributed, %1</source>
        <translation>分布式，%1</translation>
    </message>
    <message>
        <source>sharded, %1</source>
        <translation>分片，%1</translation>
    </message>
    <message>
        <source>one file</source>
        <translation>单个文件</translation>
    </message>
    <message>
        <source>%1 does not exist: name a run, a folder of checkpoints, or a checkpoint</source>
        <translation>%1 不存在：请指定运行、存放 checkpoint 的文件夹或 checkpoint</translation>
    </message>
    <message>
        <source>it is being written</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>%1 is no folder of a checkpoint</source>
        <translation>%1 不是 checkpoint 的文件夹</translation>
    </message>
    <message>
        <source>cannot remove %1: %2</source>
        <translation>无法移除 %1：%2</translation>
    </message>
    <message>
        <source>%1 has no checkpoint of step %2: there are none</source>
        <translation>%1 没有第 %2 步的 checkpoint：没有任何 checkpoint</translation>
    </message>
    <message>
        <source>%1 has no checkpoint of step %2: there is %3</source>
        <translation>%1 没有第 %2 步的 checkpoint：现有 %3</translation>
    </message>
    <message>
        <source>%1 has no whole checkpoint</source>
        <translation>%1 没有完好的 checkpoint</translation>
    </message>
    <message>
        <source>'%1' is packed (%2): its elements are no numbers of their own</source>
        <translation>'%1' 为打包格式（%2）：其元素不是单独的数值</translation>
    </message>
    <message>
        <source>the names of these tensors take more than 4 GB</source>
        <translation>这些张量的名称超过 4 GB</translation>
    </message>
    <message>
        <source>%1 is damaged: its SHA-256 is not that of the file that was fetched, fetch it again</source>
        <translation>%1 已损坏：其 SHA-256 与所下载的文件不符，请重新下载</translation>
    </message>
    <message>
        <source>%1 (at byte %2)</source>
        <translation>%1（位于字节 %2）</translation>
    </message>
    <message>
        <source>header only</source>
        <translation>仅文件头</translation>
    </message>
    <message>
        <source>asynchronous %1</source>
        <translation>异步 %1</translation>
    </message>
    <message>
        <source>Device Type</source>
        <translation>Device Type</translation>
    </message>
    <message>
        <source>Device Id</source>
        <translation>Device Id</translation>
    </message>
    <message>
        <source>Total Allocated</source>
        <translation>Total Allocated</translation>
    </message>
    <message>
        <source>%1: the trace cannot be written: %2</source>
        <translation>%1：无法写入 trace：%2</translation>
    </message>
    <message>
        <source>%1: the trace cannot be written: the folder is not there, is not writable, or has no room</source>
        <translation>%1：无法写入 trace：文件夹不存在、不可写或空间不足</translation>
    </message>
    <message>
        <source>%1: the file has changed or gone since it was read, and the arguments of its slices lie there: open it again</source>
        <translation>%1：文件在读取后已更改或消失，而其切片的参数保存在其中：请重新打开</translation>
    </message>
    <message>
        <source>there is no slice in this range: select a longer one</source>
        <translation>此范围内没有切片：请选择更长的范围</translation>
    </message>
    <message>
        <source>aligned by collectives: %1 of %2 clocks corrected, by at most %3</source>
        <translation>按集合操作对齐：%2 个时钟中校正了 %1 个，最多 %3</translation>
    </message>
    <message>
        <source>clocks agree within 5 ms, by the ends of collectives</source>
        <translation>时钟偏差在 5 ms 以内，依据集合操作的结束时间</translation>
    </message>
    <message>
        <source>aligned by the clocks of the machines</source>
        <translation>按各机器的时钟对齐</translation>
    </message>
    <message>
        <source>clocks not comparable: the traces name no wall time and share no collective</source>
        <translation>时钟无法比较：各 trace 未给出时钟时间，也没有共同的集合操作</translation>
    </message>
    <message>
        <source>%1: there is no trace in it or in its folder traces; `trainyard runs profile` records one of a running run</source>
        <translation>%1：其中及其 traces 文件夹中都没有 trace；`trainyard runs profile` 可记录正在进行的运行的 trace</translation>
    </message>
    <message>
        <source>the file is empty: 0 bytes</source>
        <translation>文件为空：0 字节</translation>
    </message>
    <message>
        <source>%1: %2; a trace is JSON with a list of traceEvents, as Chrome and Kineto write it</source>
        <translation>%1：%2；trace 是含有 traceEvents 列表的 JSON，与 Chrome 和 Kineto 写出的相同</translation>
    </message>
    <message>
        <source>line %1, column %2, byte %3</source>
        <translation>第 %1 行，第 %2 列，字节 %3</translation>
    </message>
    <message>
        <source>%1: %2; %3 events before it are shown</source>
        <translation>%1：%2；显示其前的 %3 个事件</translation>
    </message>
    <message>
        <source>reading was ended at byte %1; %2 events before it are shown</source>
        <translation>读取在字节 %1 处结束；显示其前的 %2 个事件</translation>
    </message>
    <message>
        <source>the text is UTF-16, not UTF-8</source>
        <translation>文本为 UTF-16，而不是 UTF-8</translation>
    </message>
    <message>
        <source>the text does not begin as JSON</source>
        <translation>文本开头不是 JSON</translation>
    </message>
    <message>
        <source>the file ends before the list of events</source>
        <translation>文件在事件列表之前结束</translation>
    </message>
    <message>
        <source>it is damaged before the list of events, at %1</source>
        <translation>在事件列表之前损坏，位于%1</translation>
    </message>
    <message>
        <source>the file ends here, the end of the trace is missing</source>
        <translation>文件在此结束，缺少 trace 的结尾</translation>
    </message>
    <message>
        <source>the text behind the list of events is damaged</source>
        <translation>事件列表之后的文本已损坏</translation>
    </message>
    <message>
        <source>traceEvents is not a list</source>
        <translation>traceEvents 不是列表</translation>
    </message>
    <message>
        <source>the file ends inside '%1'</source>
        <translation>文件在 '%1' 中间结束</translation>
    </message>
    <message>
        <source>the text is damaged here</source>
        <translation>文本在此处损坏</translation>
    </message>
    <message>
        <source>it has no traceEvents</source>
        <translation>其中没有 traceEvents</translation>
    </message>
    <message>
        <source>the file ends here, the end of the list of events is missing</source>
        <translation>文件在此结束，缺少事件列表的结尾</translation>
    </message>
    <message>
        <source>the file ends inside an event</source>
        <translation>文件在一个事件中间结束</translation>
    </message>
    <message>
        <source>an event is longer than %1, or one of its quotes is missing</source>
        <translation>有一个事件长于 %1，或缺少一个引号</translation>
    </message>
    <message>
        <source>the list of events is damaged</source>
        <translation>事件列表已损坏</translation>
    </message>
    <message>
        <source>%1: there is text behind the end of the trace, which is not read</source>
        <translation>%1：trace 结尾之后还有文本，不会读取</translation>
    </message>
    <message>
        <source>`%1` has no unit: write %1ms</source>
        <translation>`%1` 没有单位：请写成 %1ms</translation>
    </message>
    <message>
        <source>`%1` has no duration: write dur&gt;5ms</source>
        <translation>`%1` 没有时长：请写成 dur&gt;5ms</translation>
    </message>
    <message>
        <source>`%1` has no end: a second %2 is missing</source>
        <translation>`%1` 没有结尾：缺少第二个 %2</translation>
    </message>
    <message>
        <source>`!` stands alone: write !word for slices that do not fit</source>
        <translation>`!` 单独出现：要查找不匹配的切片，请写成 !词</translation>
    </message>
    <message>
        <source>`%1` names nothing: write %1word</source>
        <translation>`%1` 后面没有内容：请写成 %1词</translation>
    </message>
    <message>
        <source>`%1` compares with a text: write a number, or ~ for a part of a text</source>
        <translation>`%1` 与文本比较：请写数字，或用 ~ 表示文本的一部分</translation>
    </message>
    <message>
        <source>`%1` compares a duration with ~: write dur&gt;5ms</source>
        <translation>`%1` 用 ~ 比较时长：请写成 dur&gt;5ms</translation>
    </message>
    <message>
        <source>there is no step %1 in this trace: it marks no steps</source>
        <translation>此 trace 中没有第 %1 步：它未标记步</translation>
    </message>
    <message>
        <source>there is no step %1 in this trace: it has %2 to %3</source>
        <translation>此 trace 中没有第 %1 步：它有第 %2 到 %3 步</translation>
    </message>
    <message>
        <source>event of an unknown phase</source>
        <translation>个阶段未知的事件</translation>
    </message>
    <message>
        <source>events of unknown phases</source>
        <translation>个阶段未知的事件</translation>
    </message>
    <message>
        <source>event without a phase</source>
        <translation>个无阶段的事件</translation>
    </message>
    <message>
        <source>events without a phase</source>
        <translation>个无阶段的事件</translation>
    </message>
    <message>
        <source>entry that is no event</source>
        <translation>个不是事件的条目</translation>
    </message>
    <message>
        <source>entries that are no events</source>
        <translation>个不是事件的条目</translation>
    </message>
    <message>
        <source>event without a time</source>
        <translation>个无时间的事件</translation>
    </message>
    <message>
        <source>events without a time</source>
        <translation>个无时间的事件</translation>
    </message>
    <message>
        <source>time beyond 64-bit nanoseconds</source>
        <translation>个超出 64 位纳秒范围的时间</translation>
    </message>
    <message>
        <source>times beyond 64-bit nanoseconds</source>
        <translation>个超出 64 位纳秒范围的时间</translation>
    </message>
    <message>
        <source>event that cannot be read</source>
        <translation>个无法读取的事件</translation>
    </message>
    <message>
        <source>events that cannot be read</source>
        <translation>个无法读取的事件</translation>
    </message>
    <message>
        <source>end without a begin</source>
        <translation>个没有开始的结束</translation>
    </message>
    <message>
        <source>ends without a begin</source>
        <translation>个没有开始的结束</translation>
    </message>
    <message>
        <source>arrow without its other end</source>
        <translation>个缺少另一端的箭头</translation>
    </message>
    <message>
        <source>arrows without their other end</source>
        <translation>个缺少另一端的箭头</translation>
    </message>
    <message>
        <source>event with characters that are no JSON, repaired</source>
        <translation>个含有非 JSON 字符的事件，已修复</translation>
    </message>
    <message>
        <source>events with characters that are no JSON, repaired</source>
        <translation>个含有非 JSON 字符的事件，已修复</translation>
    </message>
    <message>
        <source>number in quotes, read as a number</source>
        <translation>个带引号的数字，已按数字读取</translation>
    </message>
    <message>
        <source>numbers in quotes, read as numbers</source>
        <translation>个带引号的数字，已按数字读取</translation>
    </message>
    <message>
        <source>negative duration, shown as 0</source>
        <translation>个负的时长，显示为 0</translation>
    </message>
    <message>
        <source>negative durations, shown as 0</source>
        <translation>个负的时长，显示为 0</translation>
    </message>
    <message>
        <source>event without a duration, shown as 0</source>
        <translation>个无时长的事件，显示为 0</translation>
    </message>
    <message>
        <source>events without a duration, shown as 0</source>
        <translation>个无时长的事件，显示为 0</translation>
    </message>
    <message>
        <source>begin without an end, shown until the end of the trace</source>
        <translation>个没有结束的开始，显示到 trace 结尾</translation>
    </message>
    <message>
        <source>begins without an end, shown until the end of the trace</source>
        <translation>个没有结束的开始，显示到 trace 结尾</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>stream %1</translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>memory of the processor</source>
        <translation>处理器内存</translation>
    </message>
    <message>
        <source>memory of GPU %1</source>
        <translation>GPU %1 的显存</translation>
    </message>
    <message>
        <source>memory of device %1</source>
        <translation>设备 %1 的内存</translation>
    </message>
    <message>
        <source>cannot create a temporary file in %1: %2</source>
        <translation>无法在 %1 中创建临时文件：%2</translation>
    </message>
    <message>
        <source>cannot unpack into a temporary file: %1: %2</source>
        <translation>无法解压到临时文件：%1：%2</translation>
    </message>
    <message>
        <source>the compressed data cannot be unpacked: no memory</source>
        <translation>无法解压数据：内存不足</translation>
    </message>
    <message>
        <source>the compressed data is cut: the file ends before its end mark</source>
        <translation>压缩数据不完整：文件在结束标记之前结束</translation>
    </message>
    <message>
        <source>the compressed data is damaged</source>
        <translation>压缩数据已损坏</translation>
    </message>
    <message>
        <source>the compressed data is damaged (%1)</source>
        <translation>压缩数据已损坏（%1）</translation>
    </message>
    <message>
        <source>%1 ns</source>
        <translation>%1 ns</translation>
    </message>
    <message>
        <source>%1 is no CSV file of ours (its first columns are not step, wall_time): move it away or choose another path</source>
        <translation>%1 不是 Trainyard 的 CSV 文件（其前几列不是 step、wall_time）：请移走它或选择其他路径</translation>
    </message>
    <message>
        <source>csv cannot have a column whose name has a line break</source>
        <translation>csv 的列名不能含有换行符</translation>
    </message>
    <message>
        <source>dvclive makes a file of every metric's name, and '%1' would not lie in its folder</source>
        <translation>dvclive 以每个指标的名称建立文件，而 '%1' 不会位于其文件夹内</translation>
    </message>
    <message>
        <source>dvclive has the metric '%1' already, so that '%2' cannot lie below it</source>
        <translation>dvclive 已有指标 '%1'，因此 '%2' 不能位于其下</translation>
    </message>
    <message>
        <source>%1 is no JSON of metrics: the run cannot go on with it</source>
        <translation>%1 不是指标的 JSON：运行无法以此继续</translation>
    </message>
    <message>
        <source>dvclive keeps numbers and words, not %1</source>
        <translation>dvclive 只保存数字和文字，不保存 %1</translation>
    </message>
    <message>
        <source>unknown tracker '%1'%2</source>
        <translation>未知跟踪器 '%1'%2</translation>
    </message>
    <message>
        <source>the tracker '%1' keeps no pictures: log them with tensorboard</source>
        <translation>跟踪器 '%1' 不保存图片：请用 tensorboard 记录</translation>
    </message>
    <message>
        <source>the tracker '%1' needs a logging directory: give one</source>
        <translation>跟踪器 '%1' 需要日志目录：请给出一个</translation>
    </message>
    <message>
        <source>the arguments of the tracker '%1' are no dictionary</source>
        <translation>跟踪器 '%1' 的参数不是字典</translation>
    </message>
    <message>
        <source>unknown argument '%1' of the tracker '%2'%3</source>
        <translation>跟踪器 '%2' 的未知参数 '%1'%3</translation>
    </message>
    <message>
        <source>tensorboard shows numbers, words and dictionaries of numbers, not %1</source>
        <translation>tensorboard 显示数字、文字和数字字典，不显示 %1</translation>
    </message>
    <message>
        <source>the tracker '%1' cannot keep up: records are dropped while %2 wait to be written</source>
        <translation>跟踪器 '%1' 跟不上：有 %2 条记录等待写入，新记录被丢弃</translation>
    </message>
    <message>
        <source>an exception that is no std::exception</source>
        <translation>非 std::exception 的异常</translation>
    </message>
    <message>
        <source>the tracker '%1' failed: %2</source>
        <translation>跟踪器 '%1' 失败：%2</translation>
    </message>
    <message>
        <source>the tracker '%1' dropped %2 records in all</source>
        <translation>跟踪器 '%1' 共丢弃了 %2 条记录</translation>
    </message>
    <message>
        <source>the tracker '%1' failed %2 times in all</source>
        <translation>跟踪器 '%1' 共失败 %2 次</translation>
    </message>
    <message>
        <source>the queue of the trackers must hold at least one record</source>
        <translation>跟踪器的队列至少须容纳一条记录</translation>
    </message>
    <message>
        <source>there are arguments for the tracker '%1', which is not among those of the run (%2)</source>
        <translation>为跟踪器 '%1' 给出了参数，但它不在此运行的跟踪器之中（%2）</translation>
    </message>
    <message>
        <source>the pictures '%1' are no %2 of %3 x %4 pixels with 1 or 3 channels</source>
        <translation>图片 '%1' 不是 %2 张 %3 x %4 像素、1 或 3 个通道的图片</translation>
    </message>
    <message>
        <source>no tracker of this run keeps pictures (%1): add tensorboard</source>
        <translation>此运行没有保存图片的跟踪器（%1）：请添加 tensorboard</translation>
    </message>
    <message>
        <source>there is no tracker '%1' in this run; there are: %2</source>
        <translation>此运行中没有跟踪器 '%1'；现有：%2</translation>
    </message>
</context>
<context>
    <name>engine/optim</name>
    <message>
        <source>growth_factor must be greater than 1.</source>
        <translation>growth_factor 必须大于 1。</translation>
    </message>
    <message>
        <source>backoff_factor must be between 0 and 1.</source>
        <translation>backoff_factor 必须在 0 到 1 之间。</translation>
    </message>
    <message>
        <source>init_scale must be a positive number.</source>
        <translation>init_scale 必须为正数。</translation>
    </message>
    <message>
        <source>growth_interval must be 1 or more.</source>
        <translation>growth_interval 至少为 1。</translation>
    </message>
    <message>
        <source>options of the gradient scaler:%1</source>
        <translation>梯度缩放器的选项：%1</translation>
    </message>
    <message>
        <source>fp16 gradients cannot be unscaled: keep the parameters in fp32 and let automatic casting choose fp16 for the forward pass</source>
        <translation>fp16 梯度无法取消缩放：请将参数保持为 fp32，由自动类型转换在前向传播中选择 fp16</translation>
    </message>
    <message>
        <source>the state of the gradient scaler is empty: it was saved by a run without loss scaling; resume with the precision of that run, or leave the scaler's state out</source>
        <translation>梯度缩放器的状态为空：它由未使用损失缩放的运行保存；请以该运行的精度恢复，或省略缩放器的状态</translation>
    </message>
    <message>
        <source>the optimizer's state: '%1' has %2 elements, the parameters together %3</source>
        <translation>优化器状态：'%1' 有 %2 个元素，而参数共有 %3 个</translation>
    </message>
    <message>
        <source>the optimizer's state is of another number of parameters or groups: LBFGS has one group, here of %1 parameters</source>
        <translation>优化器状态的参数数或组数不同：LBFGS 只有一个组，此处含 %1 个参数</translation>
    </message>
    <message>
        <source>the optimizer's state: old_dirs, old_stps and ro have different lengths</source>
        <translation>优化器状态：old_dirs、old_stps 和 ro 的长度不同</translation>
    </message>
    <message>
        <source>options must be a dictionary</source>
        <translation>选项必须为字典</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%2 的 %1：%3</translation>
    </message>
    <message>
        <source>%1 has no '%2': it is of another optimizer than %3</source>
        <translation>%1 中没有 '%2'：它属于 %3 以外的优化器</translation>
    </message>
    <message>
        <source>must be a dictionary of patterns of names</source>
        <translation>必须为名称模式的字典</translation>
    </message>
    <message>
        <source>LBFGS takes all parameters as one group</source>
        <translation>LBFGS 将所有参数作为一个组</translation>
    </message>
    <message>
        <source>groups: '%1' is the name of no parameter</source>
        <translation>groups：'%1' 不是任何参数的名称</translation>
    </message>
    <message>
        <source>this optimizer</source>
        <translation>此优化器</translation>
    </message>
    <message>
        <source>%1 updates matrices alone, and there is a parameter with %2 dimensions: give the others a group with another optimizer, e.g. AdamW</source>
        <translation>%1 只更新矩阵，而有一个参数是 %2 维：请为其余参数设置使用其他优化器的组，例如 AdamW</translation>
    </message>
    <message>
        <source>the parameters are the averaged weights since eval(): call train() before step()</source>
        <translation>自 eval() 起参数为平均后的权重：请在 step() 之前调用 train()</translation>
    </message>
    <message>
        <source>%1 updates while backward runs, and a parameter got a second gradient before step(): run one backward of the whole loss for each step(), and use no parameter in several checkpointed blocks</source>
        <translation>%1 在反向传播期间更新，而某个参数在 step() 之前得到了第二个梯度：每次 step() 只对整个损失做一次反向传播，且不要在多个重计算块中使用同一参数</translation>
    </message>
    <message>
        <source>the optimizer's state has %1 parameter groups, the optimizer %2</source>
        <translation>优化器状态有 %1 个参数组，而优化器有 %2 个</translation>
    </message>
    <message>
        <source>parameter group %1 of the optimizer's state</source>
        <translation>优化器状态的参数组 %1</translation>
    </message>
    <message>
        <source>%1 has %2 parameters, the optimizer's %3</source>
        <translation>%1 有 %2 个参数，而优化器的有 %3 个</translation>
    </message>
    <message>
        <source>%1: '%2' of parameter %3 has another shape than the parameter needs</source>
        <translation>%1：参数 %3 的 '%2' 与该参数所需的形状不同</translation>
    </message>
    <message>
        <source>%1: at step %2 the schedule has no finite value; check its arguments (a phase of no length, a division by zero)</source>
        <translation>%1：调度在第 %2 步没有有限值；请检查其参数（长度为零的阶段、除以零）</translation>
    </message>
    <message>
        <source>has %1 rates, the optimizer has %2 parameter groups</source>
        <translation>有 %1 个学习率，而优化器有 %2 个参数组</translation>
    </message>
    <message>
        <source>%1 base rates were given, the optimizer has %2 parameter groups</source>
        <translation>给出了 %1 个基础学习率，而优化器有 %2 个参数组</translation>
    </message>
    <message>
        <source>unknown schedule '%1'%2</source>
        <translation>未知调度 '%1'%2</translation>
    </message>
    <message>
        <source>%1: the arguments are a %2, not a dictionary</source>
        <translation>%1：参数为 %2，不是字典</translation>
    </message>
    <message>
        <source>must be finite</source>
        <translation>必须为有限值</translation>
    </message>
    <message>
        <source>is missing: this schedule cannot do without it</source>
        <translation>缺失：此调度必须有该项</translation>
    </message>
    <message>
        <source>is '%1', must be one of %2</source>
        <translation>为 '%1'，须为 %2 之一</translation>
    </message>
    <message>
        <source>a list of numbers</source>
        <translation>数字列表</translation>
    </message>
    <message>
        <source>has %1 numbers, the optimizer has %2 parameter groups</source>
        <translation>有 %1 个数，而优化器有 %2 个参数组</translation>
    </message>
    <message>
        <source>a list of whole numbers</source>
        <translation>整数列表</translation>
    </message>
    <message>
        <source>is %1, and %2 has no warm-up: set it to 0, or take a schedule that has one, e.g. constant_with_warmup</source>
        <translation>是 %1，而 %2 没有预热：请设为 0，或换用有预热的计划，例如 constant_with_warmup</translation>
    </message>
    <message>
        <source>must be -1: load the schedule's state to go on with a run</source>
        <translation>必须为 -1：要继续运行，请加载调度的状态</translation>
    </message>
    <message>
        <source>unknown argument%1</source>
        <translation>未知参数%1</translation>
    </message>
    <message>
        <source>must be more than 0</source>
        <translation>必须大于 0</translation>
    </message>
    <message>
        <source>must be between 0 and 1</source>
        <translation>必须在 0 到 1 之间</translation>
    </message>
    <message>
        <source>must be more than 0 and at most 1</source>
        <translation>必须大于 0 且不超过 1</translation>
    </message>
    <message>
        <source>must not be 0</source>
        <translation>不得为 0</translation>
    </message>
    <message>
        <source>needs an optimizer with momentum or betas: set it to false</source>
        <translation>需要带 momentum 或 betas 的优化器：请设为 false</translation>
    </message>
    <message>
        <source>%1: step %2 is past the %3 steps of the cycle; give it more total_steps</source>
        <translation>%1：第 %2 步已超出周期的 %3 步；请增大 total_steps</translation>
    </message>
    <message>
        <source>are %1 phases, this schedule has %2</source>
        <translation>有 %1 个阶段，而此调度有 %2 个</translation>
    </message>
    <message>
        <source>must not be negative</source>
        <translation>不得为负</translation>
    </message>
    <message>
        <source>is missing: give it, or epochs and steps_per_epoch</source>
        <translation>缺失：请给出该项，或给出 epochs 和 steps_per_epoch</translation>
    </message>
    <message>
        <source>must be a share between 0.0 and 1.0, written with a point</source>
        <translation>必须为 0.0 到 1.0 之间的比例，以小数点书写</translation>
    </message>
    <message>
        <source>must be a list of %1 states</source>
        <translation>必须为含 %1 个状态的列表</translation>
    </message>
    <message>
        <source>[%1] does not fit %2</source>
        <translation>[%1] 与 %2 不符</translation>
    </message>
    <message>
        <source>are %1, must be one fewer than the %2 schedules</source>
        <translation>有 %1 个，须比 %2 个调度少一个</translation>
    </message>
    <message>
        <source>must rise</source>
        <translation>必须递增</translation>
    </message>
    <message>
        <source>must be a list of at least one {name, arguments}</source>
        <translation>必须是至少含一个 {name, arguments} 的列表</translation>
    </message>
    <message>
        <source>must have a name</source>
        <translation>必须有名称</translation>
    </message>
    <message>
        <source>follows a metric, which a joined schedule is not given</source>
        <translation>依据指标调整，而组合调度得不到指标</translation>
    </message>
    <message>
        <source>%1 needs at least one schedule</source>
        <translation>%1 至少需要一个调度</translation>
    </message>
    <message>
        <source>%1: schedule %2 cannot be joined with others: it follows a metric, or is none that optim/schedule.h makes</source>
        <translation>%1：调度 %2 无法与其他调度组合：它依据指标调整，或不是由 optim/schedule.h 创建</translation>
    </message>
    <message>
        <source>%1: %2 functions were given, the optimizer has %3 parameter groups</source>
        <translation>%1：给出了 %2 个函数，而优化器有 %3 个参数组</translation>
    </message>
    <message>
        <source>is %1, must be lower than the initial rate %2</source>
        <translation>为 %1，必须小于初始学习率 %2</translation>
    </message>
    <message>
        <source>and min_lr_rate exclude each other: give one</source>
        <translation>与 min_lr_rate 互斥：请只给出一个</translation>
    </message>
    <message>
        <source>or min_lr_rate is missing: this schedule cannot do without one</source>
        <translation>或 min_lr_rate 缺失：此调度必须有其中之一</translation>
    </message>
    <message>
        <source>has no meaning for an initial rate of 0</source>
        <translation>在初始学习率为 0 时没有意义</translation>
    </message>
    <message>
        <source>or num_training_steps is missing: this schedule cannot do without one</source>
        <translation>或 num_training_steps 缺失：此调度必须有其中之一</translation>
    </message>
    <message>
        <source>%1 follows a metric: give one to each step, e.g. the loss of the evaluation</source>
        <translation>%1 依据指标调整：请为每步给出指标，例如评估的损失</translation>
    </message>
    <message>
        <source>must be lower than 1</source>
        <translation>必须小于 1</translation>
    </message>
    <message>
        <source>must be lower than 1 and not 0</source>
        <translation>必须小于 1 且不为 0</translation>
    </message>
    <message>
        <source>a key is no whole number</source>
        <translation>有一个键不是整数</translation>
    </message>
    <message>
        <source>state of the schedule %1: it is a %2, not a dictionary</source>
        <translation>调度 %1 的状态：它是 %2，不是字典</translation>
    </message>
    <message>
        <source>does not fit (%1)</source>
        <translation>不符（%1）</translation>
    </message>
    <message>
        <source>state of the schedule %1: %2; was it saved by another kind of schedule?</source>
        <translation>调度 %1 的状态：%2；它是否由另一种调度保存？</translation>
    </message>
    <message>
        <source>the state of this optimizer class cannot be saved or loaded: use Adam, AdamW, SGD, RMSprop, Adagrad or LBFGS of torch::optim, or derive from trainyard::optim::Optimizer</source>
        <translation>此优化器类的状态无法保存或加载：请使用 torch::optim 的 Adam、AdamW、SGD、RMSprop、Adagrad 或 LBFGS，或从 trainyard::optim::Optimizer 派生</translation>
    </message>
    <message>
        <source>betas must be two numbers</source>
        <translation>betas 必须为两个数</translation>
    </message>
    <message>
        <source>%1 maximizes, which torch's C++ optimizers cannot: change the sign of the loss</source>
        <translation>%1 设为最大化，而 torch 的 C++ 优化器做不到：请反转损失的符号</translation>
    </message>
    <message>
        <source>%1: '%2' of parameter %3 has another shape than the parameter</source>
        <translation>%1：参数 %3 的 '%2' 与该参数形状不同</translation>
    </message>
</context>
<context>
    <name>engine/profile</name>
    <message>
        <source>steps and phases</source>
        <translation>步和阶段</translation>
    </message>
    <message>
        <source>checkpoints and evaluation</source>
        <translation>checkpoint 和评估</translation>
    </message>
    <message>
        <source>activities: cuda has nothing to record, this run does not compute on a CUDA device</source>
        <translation>activities：cuda 没有可记录的内容，此运行不在 CUDA 设备上计算</translation>
    </message>
    <message>
        <source>activities: this build has no %1: it records cpu and cuda</source>
        <translation>activities：此构建不含 %1：它可记录 cpu 和 cuda</translation>
    </message>
    <message>
        <source>activities: %1 is none: they are cpu, xpu, mtia, hpu and cuda%2</source>
        <translation>activities：没有 %1：可用的有 cpu、xpu、mtia、hpu 和 cuda%2</translation>
    </message>
    <message>
        <source>another profiler of this process is recording: end it first</source>
        <translation>此进程的另一个性能分析器正在记录：请先结束它</translation>
    </message>
    <message>
        <source>the profiler has been started already</source>
        <translation>性能分析器已启动</translation>
    </message>
    <message>
        <source>%1: no trace was recorded: no step of the schedule was an active one</source>
        <translation>%1：没有记录 trace：调度中没有处于 active 的步</translation>
    </message>
    <message>
        <source>%1 is %2: it must be %3 or more</source>
        <translation>%1 为 %2：至少为 %3</translation>
    </message>
    <message>
        <source>%1 is %2: at most 1000000000 steps can be named</source>
        <translation>%1 为 %2：最多可指定 1000000000 步</translation>
    </message>
    <message>
        <source>the trace cannot be written</source>
        <translation>无法写入 trace</translation>
    </message>
    <message>
        <source>the profiler's file cannot be read</source>
        <translation>无法读取性能分析器的文件</translation>
    </message>
    <message>
        <source>the profiler wrote no file</source>
        <translation>性能分析器没有写出文件</translation>
    </message>
    <message>
        <source>%1: the profiler of this LibTorch writes another form of trace</source>
        <translation>%1：此 LibTorch 的性能分析器写出的 trace 格式不同</translation>
    </message>
</context>
<context>
    <name>engine/run</name>
    <message>
        <source>no place for the program's own state: set XDG_STATE_HOME to a folder (HOME is not set)</source>
        <translation>没有存放程序自身状态的位置：请将 XDG_STATE_HOME 设为一个文件夹（未设置 HOME）</translation>
    </message>
    <message>
        <source>%1 is not there yet</source>
        <translation>%1 尚不存在</translation>
    </message>
    <message>
        <source>the place for runs, %1, is not a folder: set TRAINYARD_RUNS to a folder, or remove what is there</source>
        <translation>存放运行的位置 %1 不是文件夹：请将 TRAINYARD_RUNS 设为某个文件夹，或移除该处的内容</translation>
    </message>
    <message>
        <source>cannot read the folder of runs %1: %2</source>
        <translation>无法读取运行的文件夹 %1：%2</translation>
    </message>
    <message>
        <source>%1 is not a run's folder: it has neither run.yaml nor state.json</source>
        <translation>%1 不是运行文件夹：其中既没有 run.yaml 也没有 state.json</translation>
    </message>
    <message>
        <source>'%1' fits more than one run: %2</source>
        <translation>'%1' 匹配多个运行：%2</translation>
    </message>
    <message>
        <source>no run '%1': there are no runs in %2</source>
        <translation>没有运行 '%1'：%2 中没有任何运行</translation>
    </message>
    <message>
        <source>no run '%1' in %2: did you mean '%3'?</source>
        <translation>%2 中没有运行 '%1'：是否想写 '%3'？</translation>
    </message>
    <message>
        <source>no run '%1' in %2: `trainyard runs list` names them</source>
        <translation>%2 中没有运行 '%1'：`trainyard runs list` 可列出它们</translation>
    </message>
    <message>
        <source>no place for runs: set TRAINYARD_RUNS to a folder (HOME is not set)</source>
        <translation>没有存放运行的位置：请将 TRAINYARD_RUNS 设为某个文件夹（未设置 HOME）</translation>
    </message>
    <message>
        <source>cannot make the run's folder %1: %2</source>
        <translation>无法创建运行的文件夹 %1：%2</translation>
    </message>
    <message>
        <source>cannot find a free name for the run in %1</source>
        <translation>在 %1 中找不到可用于此运行的名称</translation>
    </message>
    <message>
        <source>%1 is there already and not empty: name another folder for the run</source>
        <translation>%1 已存在且不为空：请为此运行指定其他文件夹</translation>
    </message>
    <message>
        <source>cannot open %1: %2</source>
        <translation>无法打开 %1：%2</translation>
    </message>
    <message>
        <source>the queue in %1 is in use by another process: try again</source>
        <translation>%1 中的队列正被其他进程使用：请重试</translation>
    </message>
    <message>
        <source>run %1 does not wait in the queue of %2</source>
        <translation>运行 %1 不在 %2 的队列中等待</translation>
    </message>
    <message>
        <source>waits for %1 on %2, %3 before it</source>
        <translation>正在 %2 上等待 %1，前面还有 %3 个</translation>
    </message>
    <message>
        <source>waits for %1 on %2</source>
        <translation>正在 %2 上等待 %1</translation>
    </message>
    <message>
        <source>%1: kind is missing</source>
        <translation>%1：缺少 kind</translation>
    </message>
    <message>
        <source>%1: the name of a request is letters, digits, - and _</source>
        <translation>%1：请求的名称只能由字母、数字、- 和 _ 组成</translation>
    </message>
    <message>
        <source>%1 is not a run.yaml: it needs the sections launch, and recipe or program</source>
        <translation>%1 不是 run.yaml：它需要 launch 一节，以及 recipe 或 program 一节</translation>
    </message>
    <message>
        <source>%1: created: %2</source>
        <translation>%1：created：%2</translation>
    </message>
    <message>
        <source>'%1' is not text in UTF-8, as run.yaml must be: write it in UTF-8, or rename the file that it names</source>
        <translation>'%1' 不是 run.yaml 要求的 UTF-8 文本：请用 UTF-8 书写，或重命名它所指的文件</translation>
    </message>
    <message>
        <source>the supervisor of %1 (pid %2 on %3)</source>
        <translation>%1 的监管进程（pid %2，位于 %3）</translation>
    </message>
    <message>
        <source>%1 is gone, as that machine says</source>
        <translation>据该机器报告，%1已不存在</translation>
    </message>
    <message>
        <source>%1 is gone, its last word is %2 old</source>
        <translation>%1已不存在，最后一条消息是 %2 前的</translation>
    </message>
    <message>
        <source>goes on from its last checkpoint</source>
        <translation>可从最后一个 checkpoint 继续运行</translation>
    </message>
    <message>
        <source>starts it again</source>
        <translation>可重新启动运行</translation>
    </message>
    <message>
        <source>%1 when it is typed on %2</source>
        <translation>%1（在 %2 上输入）</translation>
    </message>
    <message>
        <source>trainyard launch --queue --run_dir %1 %2</source>
        <translation>trainyard launch --queue --run_dir %1 %2</translation>
    </message>
    <message>
        <source>queues it again</source>
        <translation>可使其重新排队</translation>
    </message>
    <message>
        <source>nothing was heard of %1 for %2</source>
        <translation>已有 %2 没有收到 %1 的消息</translation>
    </message>
    <message>
        <source>trainyard hosts check %1</source>
        <translation>trainyard hosts check %1</translation>
    </message>
    <message>
        <source>says what is in the way</source>
        <translation>可说明受阻的原因</translation>
    </message>
    <message>
        <source>this folder says that it is a copy of a run on %1, but it was not made by this account: nothing follows it</source>
        <translation>此文件夹声称是 %1 上某个运行的副本，但并非由此账户创建：不会跟踪它</translation>
    </message>
    <message>
        <source>trainyard runs attach %1</source>
        <translation>trainyard runs attach %1</translation>
    </message>
    <message>
        <source>logs in to that host and continues the copy</source>
        <translation>登录该主机并继续复制</translation>
    </message>
    <message>
        <source>%1 is stopped and has said nothing for %2</source>
        <translation>%1已被挂起，已有 %2 没有消息</translation>
    </message>
    <message>
        <source>%1 hangs or has no time and has said nothing for %2</source>
        <translation>%1已挂死或得不到处理器时间，已有 %2 没有消息</translation>
    </message>
    <message>
        <source>lets it go on</source>
        <translation>可使其继续运行</translation>
    </message>
    <message>
        <source>ends it and its ranks, after which the run can be started again</source>
        <translation>可结束它及其 rank，之后可重新启动运行</translation>
    </message>
    <message>
        <source>%1, as a folder says that was not made by a launch of this account</source>
        <translation>%1（此说法来自并非由本账户启动而创建的文件夹）</translation>
    </message>
    <message>
        <source>'%1' is not a status of a run</source>
        <translation>'%1' 不是运行的状态</translation>
    </message>
    <message>
        <source>queued, but nobody waits for its turn any more: queue it again</source>
        <translation>已排队，但已没有进程在等待轮到它：请重新排队</translation>
    </message>
    <message>
        <source>cannot move %1 to %2: %3</source>
        <translation>无法将 %1 移至 %2：%3</translation>
    </message>
    <message>
        <source>%1 is not a deleted run</source>
        <translation>%1 不是已删除的运行</translation>
    </message>
    <message>
        <source>there is no run in %1: it was moved or deleted already</source>
        <translation>%1 中没有运行：它已被移动或删除</translation>
    </message>
    <message>
        <source>run %1 is %2: stop it before it is deleted</source>
        <translation>运行 %1 的状态为 %2：请先停止再删除</translation>
    </message>
    <message>
        <source>%1 is there again: rename it before the deleted one is put back</source>
        <translation>%1 又已存在：请先将其重命名，再还原已删除的运行</translation>
    </message>
    <message>
        <source>%1 is no longer in the trash: it was purged</source>
        <translation>%1 已不在回收站中：它已被彻底清除</translation>
    </message>
    <message>
        <source>cannot delete %1: %2</source>
        <translation>无法删除 %1：%2</translation>
    </message>
</context>
<context>
    <name>engine/train</name>
    <message>
        <source>data.path: the data has %1 tokens, less than one sample of data.sequence_length (%2): add data or shorten the samples</source>
        <translation>data.path：数据有 %1 个 token，不足一个 data.sequence_length（%2）长的样本：请添加数据或缩短样本</translation>
    </message>
    <message>
        <source>model.vocab_size: the data holds the token %1, so it must be at least %2, not %3</source>
        <translation>model.vocab_size：数据中含有 token %1，因此该值至少须为 %2，而不是 %3</translation>
    </message>
    <message>
        <source>facts on the data</source>
        <translation>数据信息</translation>
    </message>
    <message>
        <source>data.path: no label of the %1 training samples is counted, so nothing can be learnt: all are -100, masked, or cut off by data.sequence_length (%2). Check the labels, or make data.sequence_length larger</source>
        <translation>data.path：%1 个训练样本中没有任何标签计入，因此学不到东西：全部是 -100、被掩蔽或被 data.sequence_length（%2）截断。请检查标签，或增大 data.sequence_length</translation>
    </message>
    <message>
        <source>no label of the %1 samples that are held out is counted, so there is no eval/loss: check their labels, or make data.validation_fraction or data.sequence_length larger</source>
        <translation>%1 个留出样本中没有任何标签计入，因此没有 eval/loss：请检查它们的标签，或增大 data.validation_fraction 或 data.sequence_length</translation>
    </message>
    <message>
        <source>the data has %1 samples to train on, and a step takes %2 (1 rank): samples are repeated within a step; add data, or lower training.batch_size</source>
        <translation>数据有 %1 个训练样本，而一步需要 %2 个（1 个 rank）：同一步内会重复使用样本；请添加数据或减小 training.batch_size</translation>
    </message>
    <message>
        <source>the data has %1 samples to train on, and a step takes %2 (%3 ranks): samples are repeated within a step; add data, or lower training.batch_size</source>
        <translation>数据有 %1 个训练样本，而一步需要 %2 个（%3 个 rank）：同一步内会重复使用样本；请添加数据或减小 training.batch_size</translation>
    </message>
    <message>
        <source>parameters of %1 bytes an element cannot be compared over the ranks</source>
        <translation>每个元素 %1 字节的参数无法在各 rank 之间比较</translation>
    </message>
    <message>
        <source>1 parameter</source>
        <translation>1 个参数</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>step %1: the parameters of rank %2 differ from those of the others, first in %3 (%4): their training is no longer the same</source>
        <translation>第 %1 步：rank %2 的参数与其他 rank 不同，首先出现在 %3（%4）：它们的训练已不再一致</translation>
    </message>
    <message>
        <source>step %1: the parameters of ranks %2 differ from those of the others, first in %3 (%4): their training is no longer the same</source>
        <translation>第 %1 步：rank %2 的参数与其他 rank 不同，首先出现在 %3（%4）：它们的训练已不再一致</translation>
    </message>
    <message>
        <source>parameter hash</source>
        <translation>参数的哈希</translation>
    </message>
    <message>
        <source>the number of parameters</source>
        <translation>参数数量</translation>
    </message>
    <message>
        <source>parameter hashes</source>
        <translation>各参数的哈希</translation>
    </message>
    <message>
        <source>a backward follows the last one of the update: call accumulate() before each micro-batch, and the optimizer's step() behind the last</source>
        <translation>在本次更新的最后一次反向之后又有一次反向：请在每个 micro-batch 之前调用 accumulate()，并在最后一个之后调用优化器的 step()</translation>
    </message>
    <message>
        <source>parallel.pp_size: pipeline stages work on the CPU alone in this version: set it to 1, or start with --cpu</source>
        <translation>parallel.pp_size：此版本的流水线 stage 只能在 CPU 上运行：请设为 1，或使用 --cpu 启动</translation>
    </message>
    <message>
        <source>optimizer.name: %1 updates while backward runs, on one rank alone: start one process</source>
        <translation>optimizer.name：%1 在反向过程中更新，仅限单个 rank：请只启动一个进程</translation>
    </message>
    <message>
        <source>started from random weights, seed %1</source>
        <translation>从随机权重开始，种子 %1</translation>
    </message>
    <message>
        <source>started from the weights in %1</source>
        <translation>从 %1 中的权重开始</translation>
    </message>
    <message>
        <source>%1; they lack %2, which started anew</source>
        <translation>%1；其中缺少 %2，已重新初始化</translation>
    </message>
    <message>
        <source>%1, with the adapter in %2</source>
        <translation>%1，并使用 %2 中的适配器</translation>
    </message>
    <message>
        <source>lora.adapter: %1 brings %2, which checkpoints of an adapter would lack: name its module in lora.modules_to_save, or merge the adapter first (trainyard merge-adapter)</source>
        <translation>lora.adapter：%1 带有 %2，而适配器的检查点不会包含它：请在 lora.modules_to_save 中写明其模块，或先合并适配器（trainyard merge-adapter）</translation>
    </message>
    <message>
        <source>lora.adapter: %1; remove them from the file</source>
        <translation>lora.adapter：%1；请从文件中删除</translation>
    </message>
    <message>
        <source>%1, frozen</source>
        <translation>%1，已冻结</translation>
    </message>
    <message>
        <source>mixed precision</source>
        <translation>混合精度</translation>
    </message>
    <message>
        <source>parallel.pp_size: a model that is called has all its stages; pipelines are trained from a recipe (trainyard launch RECIPE.yaml)</source>
        <translation>parallel.pp_size：被直接调用的模型包含其全部 stage；流水线须通过配方训练（trainyard launch RECIPE.yaml）</translation>
    </message>
    <message>
        <source>training.local_sgd_steps: a program averages by itself, with Accelerator::local_sgd(); Local SGD of a recipe is for trainyard launch RECIPE.yaml</source>
        <translation>training.local_sgd_steps：程序须自行用 Accelerator::local_sgd() 求平均；配方中的 Local SGD 用于 trainyard launch RECIPE.yaml</translation>
    </message>
    <message>
        <source>optimizer.name: %1 needs whole parameters, and under ZeRO every rank has slices of them: set parallel.zero_stage to 0</source>
        <translation>optimizer.name：%1 需要完整的参数，而在 ZeRO 下每个 rank 只有其中一部分：请将 parallel.zero_stage 设为 0</translation>
    </message>
    <message>
        <source>parallel.offload_optimizer_device: state that is updated element by element behind backward, on a processor, can lie on a disk: set it to none</source>
        <translation>parallel.offload_optimizer_device：只有在处理器上、反向传播之后逐元素更新的状态才能放在磁盘上：请设为 none</translation>
    </message>
    <message>
        <source>the parameters are the averaged weights since eval(): call train() before saving the state</source>
        <translation>自 eval() 起参数是平均权重：保存状态前请调用 train()</translation>
    </message>
    <message>
        <source>the ranks share out the optimizer state (parallel.zero_stage), and a state dictionary needs all of it: set parallel.zero_stage to 0, or train from a recipe, whose checkpoints hold shares</source>
        <translation>各 rank 分担优化器状态（parallel.zero_stage），而状态字典需要完整的状态：请将 parallel.zero_stage 设为 0，或通过配方训练，其 checkpoint 保存各部分</translation>
    </message>
    <message>
        <source>%1 has %2 of shape %3 instead of %4</source>
        <translation>%1 的 %2 形状为 %3，应为 %4</translation>
    </message>
    <message>
        <source>the state of %1 does not fit this model: %2</source>
        <translation>%1 的状态与此模型不符：%2</translation>
    </message>
    <message>
        <source>parameter group 0 of the optimizer's state</source>
        <translation>优化器状态的参数组 0</translation>
    </message>
    <message>
        <source>model.device_map: weights lie on disk with ranks on processors alone in this version: leave it out, or start with --cpu</source>
        <translation>model.device_map：此版本中只有处理器上的 rank 才能将权重放在磁盘上：请去掉，或使用 --cpu 启动</translation>
    </message>
    <message>
        <source>model.device_map: '%1' is on %2, and ranks on processors have weights on cpu and disk alone</source>
        <translation>model.device_map：'%1' 在 %2 上，而处理器上的 rank 的权重只能在 cpu 和 disk 上</translation>
    </message>
    <message>
        <source>unknown action '%1'%2</source>
        <translation>未知操作 '%1'%2</translation>
    </message>
    <message>
        <source>loss spikes: window and warm_up must be at least 2, settle at least 1, the threshold more than 0</source>
        <translation>损失突增：window 和 warm_up 至少为 2，settle 至少为 1，阈值须大于 0</translation>
    </message>
    <message>
        <source>%1 (first in %2)</source>
        <translation>%1（首先出现在 %2）</translation>
    </message>
    <message>
        <source>the loss and the gradients are not finite</source>
        <translation>损失和梯度出现非有限值</translation>
    </message>
    <message>
        <source>the loss is not finite</source>
        <translation>损失出现非有限值</translation>
    </message>
    <message>
        <source>the gradients are not finite</source>
        <translation>梯度出现非有限值</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>第 %1 步：%2</translation>
    </message>
    <message>
        <source>step %1: %2 steps in a row were not finite, the run stops</source>
        <translation>第 %1 步：连续 %2 步出现非有限值，运行停止</translation>
    </message>
    <message>
        <source>%1 steps in a row were not finite</source>
        <translation>连续 %1 步出现非有限值</translation>
    </message>
    <message>
        <source>loss %1 is %2 deviations above the median %3 of the last steps</source>
        <translation>损失 %1 比最近各步的中位数 %3 高出 %2 个偏差</translation>
    </message>
    <message>
        <source>loss %1 is far above the median %2 of the last steps</source>
        <translation>损失 %1 远高于最近各步的中位数 %2</translation>
    </message>
    <message>
        <source>first not finite</source>
        <translation>首个非有限值</translation>
    </message>
    <message>
        <source>number of scores</source>
        <translation>分数的数量</translation>
    </message>
    <message>
        <source>comm_hook %1, comm_wrapper %2, bucket_cap_mb %3, comm_state_option empty</source>
        <translation>comm_hook %1，comm_wrapper %2，bucket_cap_mb %3，comm_state_option 为空</translation>
    </message>
    <message>
        <source>the communication hook %1 starts anew: %2</source>
        <translation>通信 hook %1 重新开始：%2</translation>
    </message>
    <message>
        <source>the checkpoint has no state of it</source>
        <translation>checkpoint 中没有它的状态</translation>
    </message>
    <message>
        <source>its state in the checkpoint is of %1 ranks, here are %2</source>
        <translation>checkpoint 中它的状态来自 %1 个 rank，而此处有 %2 个</translation>
    </message>
    <message>
        <source>its state in the checkpoint was made with %1</source>
        <translation>checkpoint 中它的状态是用 %1 生成的</translation>
    </message>
    <message>
        <source>Local SGD goes on with the optimizer's moments of rank 0 on every rank: %1</source>
        <translation>Local SGD 在每个 rank 上使用 rank 0 的优化器矩继续：%1</translation>
    </message>
    <message>
        <source>the checkpoint has no others</source>
        <translation>checkpoint 中没有其他的矩</translation>
    </message>
    <message>
        <source>those in the checkpoint are of %1 ranks, here are %2</source>
        <translation>checkpoint 中的矩来自 %1 个 rank，而此处有 %2 个</translation>
    </message>
    <message>
        <source>%1 has no '%2' of the shape that the model needs: it belongs to another model</source>
        <translation>%1 中没有形状符合模型要求的 '%2'：它属于另一个模型</translation>
    </message>
    <message>
        <source>the checkpoint is of Local SGD on %1 ranks: the optimizer goes on with the moments of rank 0, those of the others are left out</source>
        <translation>checkpoint 来自 %1 个 rank 上的 Local SGD：优化器以 rank 0 的矩继续，其他 rank 的矩被舍弃</translation>
    </message>
    <message>
        <source>%1: the tensors have %2 and %3 elements, or other shapes: they must be alike</source>
        <translation>%1：张量分别有 %2 和 %3 个元素，或形状不同：二者必须一致</translation>
    </message>
    <message>
        <source>%1: scores must have the shape of the targets and a last dimension of classes, or be classes of the shape of the targets</source>
        <translation>%1：分数须具有目标的形状并以类别为最后一维，或为与目标形状相同的类别</translation>
    </message>
    <message>
        <source>Accuracy: k must be at least 1</source>
        <translation>Accuracy：k 至少为 1</translation>
    </message>
    <message>
        <source>Accuracy: the best k need the scores of each class</source>
        <translation>Accuracy：取前 k 个需要每个类别的分数</translation>
    </message>
    <message>
        <source>ConfusionMatrix: there must be at least two classes</source>
        <translation>ConfusionMatrix：至少须有两个类别</translation>
    </message>
    <message>
        <source>ConfusionMatrix: average is '%1', must be macro, micro, weighted or binary</source>
        <translation>ConfusionMatrix：average 为 '%1'，须为 macro、micro、weighted 或 binary</translation>
    </message>
    <message>
        <source>ConfusionMatrix: the average 'binary' is for two classes, not %1</source>
        <translation>ConfusionMatrix：average 'binary' 用于两个类别，而不是 %1 个</translation>
    </message>
    <message>
        <source>ConfusionMatrix: class %1 is outside of 0 to %2</source>
        <translation>ConfusionMatrix：类别 %1 不在 0 到 %2 之内</translation>
    </message>
    <message>
        <source>the optimizer state of rank %1</source>
        <translation>rank %1 的优化器状态</translation>
    </message>
    <message>
        <source>mixed_precision fp8 is not there yet: use bf16, which has the same range and needs no scaling</source>
        <translation>mixed_precision fp8 尚不可用：请使用 bf16，其数值范围相同且无需缩放</translation>
    </message>
    <message>
        <source>mixed_precision is '%1': choose no, fp16 or bf16</source>
        <translation>mixed_precision 为 '%1'：请选择 no、fp16 或 bf16</translation>
    </message>
    <message>
        <source>its products are wrong</source>
        <translation>其乘积结果错误</translation>
    </message>
    <message>
        <source>mixed_precision %1 does not work on %2 (%3): choose no or bf16</source>
        <translation>mixed_precision %1 在 %2 上无法工作（%3）：请选择 no 或 bf16</translation>
    </message>
    <message>
        <source>mixed_precision %1 does not work on %2 (%3): choose no or fp16</source>
        <translation>mixed_precision %1 在 %2 上无法工作（%3）：请选择 no 或 fp16</translation>
    </message>
    <message>
        <source>the checkpoint was made with another schedule: give the same schedule.name and arguments</source>
        <translation>checkpoint 是用另一种调度生成的：请给出相同的 schedule.name 和参数</translation>
    </message>
    <message>
        <source>step %1 is left out; there is no good checkpoint yet to go back to</source>
        <translation>第 %1 步被跳过；尚无可回退的正常 checkpoint</translation>
    </message>
    <message>
        <source>weights and optimizer are those of %1 again; the batches from there to step %2 are left out</source>
        <translation>权重和优化器已恢复为 %1 的状态；从那里到第 %2 步的 batch 被跳过</translation>
    </message>
    <message>
        <source>model.task: %1 cannot be trained from a recipe in this version</source>
        <translation>model.task：此版本无法通过配方训练 %1</translation>
    </message>
    <message>
        <source>tied parameters</source>
        <translation>绑定的参数</translation>
    </message>
    <message>
        <source>gradient of %1</source>
        <translation>%1 的梯度</translation>
    </message>
    <message>
        <source>loss and requests</source>
        <translation>损失和请求</translation>
    </message>
    <message>
        <source>step %1: rank %2 holds up the others: %3 of its own for a step, the others %4 (median), %5 rounds in a row</source>
        <translation>第 %1 步：rank %2 拖慢了其他 rank：其自身每步耗时 %3，其他为 %4（中位数），已连续 %5 轮</translation>
    </message>
    <message>
        <source>step times</source>
        <translation>每步耗时</translation>
    </message>
    <message>
        <source>data.column: %1 holds no conversations: each is a list of tables with role and content</source>
        <translation>data.column：%1 中没有对话：每个对话是由含 role 和 content 的表组成的列表</translation>
    </message>
    <message>
        <source>data.path: the conversations have %1 tokens, less than one sample of data.sequence_length (%2): add some, or shorten the samples</source>
        <translation>data.path：对话有 %1 个 token，不足一个 data.sequence_length（%2）长的样本：请添加对话或缩短样本</translation>
    </message>
    <message>
        <source>data.column: the conversation of row %1 %2: it is a list of tables with role and content</source>
        <translation>data.column：第 %1 行的对话%2：对话是由含 role 和 content 的表组成的列表</translation>
    </message>
    <message>
        <source>is no list</source>
        <translation>不是列表</translation>
    </message>
    <message>
        <source>has a turn without a text for role or content</source>
        <translation>有一轮缺少 role 或 content 的文本</translation>
    </message>
    <message>
        <source>%1 has no preprocessor_config.json: its images are normalised with mean 0.5 and deviation 0.5, so put the file there if the weights were trained with others</source>
        <translation>%1 没有 preprocessor_config.json：图像以均值 0.5 和标准差 0.5 归一化；如果权重是用其他值训练的，请把该文件放在那里</translation>
    </message>
    <message>
        <source>data.path: images of a batch have one size, and this one has %1 x %2 pixels, others %3 x %4: give images of one size, or a size in preprocessor_config.json</source>
        <translation>data.path：同一批图像大小必须相同，而这一张为 %1 x %2 像素，其他为 %3 x %4：请使用相同大小的图像，或在 preprocessor_config.json 中给出大小</translation>
    </message>
    <message>
        <source>%1: images of a batch have one size, and this one has %2 x %3 pixels, others %4 x %5: give images of one size, or a size in preprocessor_config.json</source>
        <translation>%1：同一批图像大小必须相同，而这一张为 %2 x %3 像素，其他为 %4 x %5：请使用相同大小的图像，或在 preprocessor_config.json 中给出大小</translation>
    </message>
    <message>
        <source>model.num_labels: %1 has %2 classes (sub-folders), and num_labels is %3</source>
        <translation>model.num_labels：%1 有 %2 个类别（子文件夹），而 num_labels 为 %3</translation>
    </message>
    <message>
        <source>data.column: %1 are no images: they are uint8 or float32 [height, width], or with colours [height, width, colours] or [colours, height, width]</source>
        <translation>data.column：%1 不是图像：图像为 uint8 或 float32 的 [height, width]，有颜色时为 [height, width, colours] 或 [colours, height, width]</translation>
    </message>
    <message>
        <source>model.num_channels: %1 have %2 colours, and num_channels is %3</source>
        <translation>model.num_channels：%1 有 %2 个颜色通道，而 num_channels 为 %3</translation>
    </message>
    <message>
        <source>an image of data.path</source>
        <translation>data.path 中的一张图像</translation>
    </message>
    <message>
        <source>an image of data.path has %1 x %2 pixels, which preprocessor_config.json leaves as they are, and model.image_size is %3: resize the images</source>
        <translation>data.path 中的一张图像为 %1 x %2 像素，preprocessor_config.json 不改变大小，而 model.image_size 为 %3：请调整图像大小</translation>
    </message>
    <message>
        <source>%1 has %2 x %3 pixels, which preprocessor_config.json leaves as they are, and model.image_size is %4: resize the images</source>
        <translation>%1 为 %2 x %3 像素，preprocessor_config.json 不改变大小，而 model.image_size 为 %4：请调整图像大小</translation>
    </message>
    <message>
        <source>data.tokenizer: %1 has no [MASK] or &lt;mask&gt;, which masked_lm needs: take the tokenizer of a masked language model</source>
        <translation>data.tokenizer：%1 没有 masked_lm 所需的 [MASK] 或 &lt;mask&gt;：请使用掩码语言模型的分词器</translation>
    </message>
    <message>
        <source>data.plugin: the data set '%1' has no samples</source>
        <translation>data.plugin：数据集 '%1' 没有样本</translation>
    </message>
    <message>
        <source>data.plugin: a sample of the data set '%1' must have labels and at least one input of the model</source>
        <translation>data.plugin：数据集 '%1' 的样本须含有 labels 和至少一个模型输入</translation>
    </message>
    <message>
        <source>data.plugin: samples of the data set '%1' differ in what they have, or in the shape of '%2': fill them up to one shape</source>
        <translation>data.plugin：数据集 '%1' 的各样本内容不同，或 '%2' 的形状不同：请填充为统一的形状</translation>
    </message>
    <message>
        <source>data.plugin: the data set '%1', sample %2: %3</source>
        <translation>data.plugin：数据集 '%1'，样本 %2：%3</translation>
    </message>
    <message>
        <source>data.column: %1 and %2 must be lists, one entry for each word</source>
        <translation>data.column：%1 和 %2 须为列表，每个词一项</translation>
    </message>
    <message>
        <source>data.label_column: row %1 has %2 words and %3 classes</source>
        <translation>data.label_column：第 %1 行有 %2 个词和 %3 个类别</translation>
    </message>
    <message>
        <source>data.path: the files hold no rows: name others</source>
        <translation>data.path：文件中没有行：请指定其他文件</translation>
    </message>
    <message>
        <source>the data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>data.label_column: %1 holds the class '%2', and model.id2label has %3</source>
        <translation>data.label_column：%1 中有类别 '%2'，而 model.id2label 有 %3</translation>
    </message>
    <message>
        <source>data.label_column: %1 holds the class %2, and model.num_labels is %3: classes are whole numbers from 0 to %4</source>
        <translation>data.label_column：%1 中有类别 %2，而 model.num_labels 为 %3：类别是 0 到 %4 的整数</translation>
    </message>
    <message>
        <source>data.label_column: the number '%1' has a comma: write it with a decimal point, and without separators of thousands</source>
        <translation>data.label_column：数字“%1”含有逗号：请使用小数点，并去掉千位分隔符</translation>
    </message>
    <message>
        <source>data.label_column: %1 holds no numbers</source>
        <translation>data.label_column：%1 中没有数值</translation>
    </message>
    <message>
        <source>the saved place of the data is batch %1 of a pass that has %2: give the training.steps that it was saved with, or more</source>
        <translation>保存的数据位置是第 %1 个 batch，而一轮只有 %2 个：请给出保存时的 training.steps 或更大的值</translation>
    </message>
    <message>
        <source>the set of %1</source>
        <translation>%1 所在的文件集</translation>
    </message>
    <message>
        <source>data.column: %1 in %2 is neither text nor whole numbers</source>
        <translation>data.column：%2 中的 %1 既不是文本也不是整数</translation>
    </message>
    <message>
        <source>data.tokenizer makes tokens of text, and %1 in %2 holds whole numbers: leave it out</source>
        <translation>data.tokenizer 将文本转换为 token，而 %2 中的 %1 为整数：请省略它</translation>
    </message>
    <message>
        <source>%1 (mend this record, or leave out all that cannot be read: data.on_corrupt: skip)</source>
        <translation>%1（请修复此记录，或跳过所有无法读取的记录：data.on_corrupt: skip）</translation>
    </message>
    <message>
        <source>%1 record of the data cannot be read and is left out (data.on_corrupt: skip): %2; and more</source>
        <translation>数据中有 %1 条记录无法读取，已跳过（data.on_corrupt: skip）：%2；等等</translation>
    </message>
    <message>
        <source>%1 record of the data cannot be read and is left out (data.on_corrupt: skip): %2</source>
        <translation>数据中有 %1 条记录无法读取，已跳过（data.on_corrupt: skip）：%2</translation>
    </message>
    <message>
        <source>%1 records of the data cannot be read and are left out (data.on_corrupt: skip): %2; and more</source>
        <translation>数据中有 %1 条记录无法读取，已跳过（data.on_corrupt: skip）：%2；等等</translation>
    </message>
    <message>
        <source>%1 records of the data cannot be read and are left out (data.on_corrupt: skip): %2</source>
        <translation>数据中有 %1 条记录无法读取，已跳过（data.on_corrupt: skip）：%2</translation>
    </message>
    <message>
        <source>data.column: %1 holds %2 in '%3', which is no token: tokens are whole numbers from 0 to %4</source>
        <translation>data.column：%1 的 '%3' 中含有 %2，它不是 token：token 是 0 到 %4 的整数</translation>
    </message>
    <message>
        <source>data.path: %1 holds %2, which is no token</source>
        <translation>data.path：%1 中含有 %2，它不是 token</translation>
    </message>
    <message>
        <source>data.path: the files hold no tokens: name others</source>
        <translation>data.path：文件中没有 token：请指定其他文件</translation>
    </message>
    <message>
        <source>first gradient not finite</source>
        <translation>首个非有限梯度</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限值</translation>
    </message>
    <message>
        <source>step %1 was skipped: none of its labels is counted</source>
        <translation>第 %1 步已跳过：其中没有计入的标签</translation>
    </message>
    <message>
        <source>nothing was learnt: no label of the last %1 steps is counted. Check the labels of data.path, data.sequence_length, and for masked_lm data.mlm_probability</source>
        <translation>什么也没学到：最近 %1 步中没有任何标签计入。请检查 data.path 的标签、data.sequence_length，masked_lm 时还有 data.mlm_probability</translation>
    </message>
    <message>
        <source>running statistics</source>
        <translation>运行统计量</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>resumed from Accelerate's %1 at step %2: weights, moments and the number of steps are its own; learning rate, its schedule, betas, eps, weight decay and the order of the data are the recipe's</source>
        <translation>从 Accelerate 的 %1 恢复，第 %2 步：权重、矩和步数取自其中；学习率及其调度、betas、eps、权重衰减和数据顺序取自配方</translation>
    </message>
    <message>
        <source>the global batch changes from %1 samples a step, in %2 (%3), to %4 on %5, with the learning rate as it was: to keep it, start with --set training.global_batch_size=%6</source>
        <translation>全局 batch 从每步 %1 个样本（%2，%3）变为 %5 上的 %4 个，学习率不变：若要保持，请使用 --set training.global_batch_size=%6 启动</translation>
    </message>
    <message>
        <source>cannot resume from %1: its data had %2 training blocks, data.path has %3: give the same data, or start from model.weights</source>
        <translation>无法从 %1 恢复：其数据有 %2 个训练块，而 data.path 有 %3 个：请给出相同的数据，或从 model.weights 开始</translation>
    </message>
    <message>
        <source>cannot resume from %1: it was trained with seed %2: set training.seed to it, or start from model.weights</source>
        <translation>无法从 %1 恢复：它用种子 %2 训练：请将 training.seed 设为该值，或从 model.weights 开始</translation>
    </message>
    <message>
        <source>resumed from %1 at step %2</source>
        <translation>从 %1 恢复，第 %2 步</translation>
    </message>
    <message>
        <source>checkpoint read</source>
        <translation>checkpoint 已读取</translation>
    </message>
    <message>
        <source>the saved average of '%1' has another shape than the weight</source>
        <translation>已保存的 '%1' 平均值与该权重形状不同</translation>
    </message>
    <message>
        <source>samples per step</source>
        <translation>每步样本数</translation>
    </message>
    <message>
        <source>training samples</source>
        <translation>训练样本</translation>
    </message>
    <message>
        <source>the model, batch or data set</source>
        <translation>模型、batch 或数据集</translation>
    </message>
    <message>
        <source>gradients to be looked at</source>
        <translation>待查看的梯度</translation>
    </message>
    <message>
        <source>the step before it was not finite</source>
        <translation>之前的一步出现非有限值</translation>
    </message>
    <message>
        <source>the %1 steps before it were not finite</source>
        <translation>之前的 %1 步出现非有限值</translation>
    </message>
    <message>
        <source>checkpoint saved</source>
        <translation>checkpoint 已保存</translation>
    </message>
    <message>
        <source>another rank could not save the checkpoint</source>
        <translation>另一个 rank 未能保存 checkpoint</translation>
    </message>
    <message>
        <source>norm of the gradients</source>
        <translation>梯度的范数</translation>
    </message>
    <message>
        <source>gradients not finite</source>
        <translation>梯度非有限</translation>
    </message>
    <message>
        <source>decay must be between 0 and 1.</source>
        <translation>decay 必须在 0 到 1 之间。</translation>
    </message>
    <message>
        <source>start_step must not be negative.</source>
        <translation>start_step 不得为负。</translation>
    </message>
    <message>
        <source>update_every must be 1 or more.</source>
        <translation>update_every 至少为 1。</translation>
    </message>
    <message>
        <source>options of the weight average: %1</source>
        <translation>权重平均的选项：%1</translation>
    </message>
</context>
<context>
    <name>engine/worker</name>
    <message>
        <source>the model does not fit into memory: let part of it be read from disk (--device-map auto, with --max-memory cpu=SIZE where less is to be used), or give --dtype bfloat16</source>
        <translation>内存放不下该模型：请让其中一部分从磁盘读取（--device-map auto，需少用内存时再加 --max-memory cpu=SIZE），或指定 --dtype bfloat16</translation>
    </message>
    <message>
        <source>the request names no folder to write</source>
        <translation>请求没有指定要写入的文件夹</translation>
    </message>
    <message>
        <source>no file descriptors are left: raise `ulimit -n`</source>
        <translation>文件描述符已用尽：请提高 `ulimit -n`</translation>
    </message>
    <message>
        <source>%1 is not set: start ranks with `trainyard launch`</source>
        <translation>未设置 %1：请用 `trainyard launch` 启动 rank</translation>
    </message>
    <message>
        <source>the ranks of this run were started anew: this one is of generation %1, the run is at %2</source>
        <translation>此运行的各 rank 已重新启动：本 rank 属于第 %1 代，运行已到第 %2 代</translation>
    </message>
    <message>
        <source>evaluated at step %1</source>
        <translation>已在第 %1 步评估</translation>
    </message>
    <message>
        <source>the highest learning rate is %1 from step %2 on; the schedule makes it %3 there</source>
        <translation>从第 %2 步起最高学习率为 %1；按调度该步为 %3</translation>
    </message>
    <message>
        <source>paused after step %1</source>
        <translation>已在第 %1 步后暂停</translation>
    </message>
    <message>
        <source>training goes on after step %1</source>
        <translation>训练在第 %1 步后继续</translation>
    </message>
    <message>
        <source>stopped after step %1</source>
        <translation>已在第 %1 步后停止</translation>
    </message>
    <message>
        <source>stopped after step %1 because %2</source>
        <translation>已在第 %1 步后停止，因为 %2</translation>
    </message>
    <message>
        <source>%1, its checkpoint is saved</source>
        <translation>%1，checkpoint 已保存</translation>
    </message>
    <message>
        <source>%1, without a checkpoint as asked</source>
        <translation>%1，按要求未保存 checkpoint</translation>
    </message>
    <message>
        <source>%1, without a checkpoint: %2</source>
        <translation>%1，未保存 checkpoint：%2</translation>
    </message>
    <message>
        <source>nothing is left to train: the checkpoint is of step %1 of %2; its state is saved here, and training.steps makes the run longer</source>
        <translation>已没有可训练的步：checkpoint 为第 %1 步，共 %2 步；其状态保存在此处，可用 training.steps 延长运行</translation>
    </message>
    <message>
        <source>connecting %1 ranks</source>
        <translation>正在连接 %1 个 rank</translation>
    </message>
    <message>
        <source>debug mode: the ranks compare operation and shapes before every collective</source>
        <translation>调试模式：每次集合操作之前，各 rank 会比较操作和形状</translation>
    </message>
    <message>
        <source>building the model and reading the data</source>
        <translation>正在构建模型并读取数据</translation>
    </message>
    <message>
        <source>%1: %2 parameters on %3</source>
        <translation>%1：%3 上 %2 个参数</translation>
    </message>
    <message>
        <source>%1 of a rank on disk</source>
        <translation>每个 rank 有 %1 在磁盘上</translation>
    </message>
    <message>
        <source>out of memory: this rank held %1 at most, its address space is limited to %2 (ulimit -v): make training.batch_size or data.sequence_length smaller, or raise the limit</source>
        <translation>内存不足：此 rank 最多占用了 %1，其地址空间上限为 %2（ulimit -v）：请减小 training.batch_size 或 data.sequence_length，或提高上限</translation>
    </message>
    <message>
        <source>out of memory: this rank held %1 at most: make training.batch_size or data.sequence_length smaller</source>
        <translation>内存不足：此 rank 最多占用了 %1：请减小 training.batch_size 或 data.sequence_length</translation>
    </message>
    <message>
        <source>profile of steps %1 to %2: %3 events of each rank, %4</source>
        <translation>第 %1 到 %2 步的性能分析：每个 rank %3 个事件，%4</translation>
    </message>
    <message>
        <source>%1; a recorded step took %2, others %3 (%4 %)</source>
        <translation>%1；每个被记录的步用时 %2，其他步 %3（%4 %）</translation>
    </message>
    <message>
        <source>%1; written in %2</source>
        <translation>%1；写入用时 %2</translation>
    </message>
    <message>
        <source>%1; it ended %2 steps early, because it had recorded enough operators to fill the memory: record fewer steps at a time</source>
        <translation>%1；提前 %2 步结束，因为记录的算子已占满内存：请减少每次记录的步数</translation>
    </message>
    <message>
        <source>the run ended before a step was recorded</source>
        <translation>运行在记录任何一步之前就已结束</translation>
    </message>
    <message>
        <source>a request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>the first line names no model</source>
        <translation>第一行没有指定模型</translation>
    </message>
    <message>
        <source>curves are not written any more: %1</source>
        <translation>不再写入曲线：%1</translation>
    </message>
    <message>
        <source>validation loss %1 at step %2</source>
        <translation>第 %2 步的验证损失 %1</translation>
    </message>
    <message>
        <source>%1, %2 with averaged weights</source>
        <translation>%1，使用平均权重时为 %2</translation>
    </message>
    <message>
        <source>%1, accuracy %2 %</source>
        <translation>%1，准确率 %2 %</translation>
    </message>
    <message>
        <source>measured memory</source>
        <translation>实测内存</translation>
    </message>
    <message>
        <source>rank %1 got SIGTERM: all ranks save a checkpoint and stop</source>
        <translation>rank %1 收到 SIGTERM：所有 rank 保存 checkpoint 后停止</translation>
    </message>
    <message>
        <source>rank %1 got SIGUSR1: all ranks save a checkpoint and stop</source>
        <translation>rank %1 收到 SIGUSR1：所有 rank 保存 checkpoint 后停止</translation>
    </message>
    <message>
        <source>the engine of this version cannot do '%1': it takes stop, checkpoint, evaluate, pause, resume, set and profile</source>
        <translation>此版本的引擎不支持 '%1'：支持 stop、checkpoint、evaluate、pause、resume、set 和 profile</translation>
    </message>
    <message>
        <source>nothing is held out to evaluate on: data.validation_fraction is 0</source>
        <translation>没有留出可用于评估的数据：data.validation_fraction 为 0</translation>
    </message>
    <message>
        <source>paused already</source>
        <translation>已处于暂停状态</translation>
    </message>
    <message>
        <source>the run is not paused</source>
        <translation>运行未暂停</translation>
    </message>
    <message>
        <source>training goes on</source>
        <translation>训练继续</translation>
    </message>
    <message>
        <source>set takes lr, a number greater than 0 and at most 100, and nothing else</source>
        <translation>set 只接受 lr，须为大于 0 且不超过 100 的数</translation>
    </message>
    <message>
        <source>%1, from %2 to %3</source>
        <translation>%1，从 %2 到 %3</translation>
    </message>
    <message>
        <source>%1, true or false</source>
        <translation>%1，true 或 false</translation>
    </message>
    <message>
        <source>profile takes %1</source>
        <translation>profile 接受 %1</translation>
    </message>
    <message>
        <source>profile does not know '%1': it takes %2</source>
        <translation>profile 不识别 '%1'：它接受 %2</translation>
    </message>
    <message>
        <source>another profile is being recorded</source>
        <translation>正在记录另一次性能分析</translation>
    </message>
    <message>
        <source>no sample: %1</source>
        <translation>没有样例文本：%1</translation>
    </message>
    <message>
        <source>checkpoint %1: %2</source>
        <translation>checkpoint %1：%2</translation>
    </message>
    <message>
        <source>checkpoint %1, %2 in %3, training paused for %4</source>
        <translation>checkpoint %1，%2，用时 %3，训练暂停 %4</translation>
    </message>
    <message>
        <source>checkpoint %1, %2 in %3, training paused for %4, is marked as not good: %5; nothing goes on from it by itself, and no earlier one is removed for it</source>
        <translation>checkpoint %1，%2，用时 %3，训练暂停 %4，已标记为不可用：%5；不会自动从它继续，也不会为它删除更早的 checkpoint</translation>
    </message>
    <message>
        <source>checkpoint_%1 is saved</source>
        <translation>checkpoint_%1 已保存</translation>
    </message>
    <message>
        <source>checkpoint_%1 is saved, is marked as not good: %2</source>
        <translation>checkpoint_%1 已保存，已标记为不可用：%2</translation>
    </message>
    <message>
        <source>checkpoint %1 is the best so far: %2 %3</source>
        <translation>checkpoint %1 为迄今最佳：%2 %3</translation>
    </message>
    <message>
        <source>checkpoint %1 was not saved: %2</source>
        <translation>checkpoint %1 未保存：%2</translation>
    </message>
    <message>
        <source>outcome of a stage</source>
        <translation>检查阶段的结果</translation>
    </message>
    <message>
        <source>check '%1' failed on rank %2</source>
        <translation>检查 '%1' 在 rank %2 上失败</translation>
    </message>
    <message>
        <source>check '%1' failed on ranks %2</source>
        <translation>检查 '%1' 在 rank %2 上失败</translation>
    </message>
    <message>
        <source>check of sums</source>
        <translation>求和检查</translation>
    </message>
    <message>
        <source>a sum over the ranks of %1 %2 numbers is %3 instead of %4</source>
        <translation>%1 个 %2 数在各 rank 间的和为 %3，应为 %4</translation>
    </message>
    <message>
        <source>%1 cannot be written</source>
        <translation>无法写入 %1</translation>
    </message>
    <message>
        <source>the ranks did not write in their order</source>
        <translation>各 rank 没有按顺序写入</translation>
    </message>
    <message>
        <source>first ranks of machines</source>
        <translation>各机器的第一个 rank</translation>
    </message>
    <message>
        <source>process ids</source>
        <translation>进程 ID</translation>
    </message>
    <message>
        <source>two ranks are the same process</source>
        <translation>两个 rank 是同一进程</translation>
    </message>
    <message>
        <source>rank %1 is called otherwise</source>
        <translation>rank %1 的编号不符</translation>
    </message>
    <message>
        <source>%1 processes take turns</source>
        <translation>%1 个进程轮流执行</translation>
    </message>
    <message>
        <source>%1 processes on %2 machines take turns</source>
        <translation>%2 台机器上的 %1 个进程轮流执行</translation>
    </message>
    <message>
        <source>check of broadcast</source>
        <translation>广播检查</translation>
    </message>
    <message>
        <source>rank %1 sent numbers to all, and others came</source>
        <translation>rank %1 向所有 rank 发送了数值，但收到的数值不同</translation>
    </message>
    <message>
        <source>check of gathering</source>
        <translation>聚合检查</translation>
    </message>
    <message>
        <source>what was gathered from rank %1 is not what it has</source>
        <translation>从 rank %1 聚合到的内容与其自身的不同</translation>
    </message>
    <message>
        <source>sums in fp32, fp64, bf16 and int64, broadcasts, gathering, barriers</source>
        <translation>fp32、fp64、bf16 和 int64 的求和、广播、聚合、屏障</translation>
    </message>
    <message>
        <source>begin of a share</source>
        <translation>一份的起点</translation>
    </message>
    <message>
        <source>end of a share</source>
        <translation>一份的终点</translation>
    </message>
    <message>
        <source>the share of rank %1 of %2 items begins at %3 instead of %4</source>
        <translation>rank %1 在 %2 个元素中的那一份从 %3 开始，应为 %4</translation>
    </message>
    <message>
        <source>%1 of %2 items were given out</source>
        <translation>%2 个元素中分配了 %1 个</translation>
    </message>
    <message>
        <source>shares of %1 items differ by more than one</source>
        <translation>%1 个元素的各份相差超过 1 个</translation>
    </message>
    <message>
        <source>%1 lengths, every item once</source>
        <translation>%1 种长度，每个元素一次</translation>
    </message>
    <message>
        <source>state of rank 0's generator</source>
        <translation>rank 0 的随机数生成器状态</translation>
    </message>
    <message>
        <source>the state of its generator is not that of rank 0</source>
        <translation>其随机数生成器的状态与 rank 0 的不同</translation>
    </message>
    <message>
        <source>numbers of rank 0</source>
        <translation>rank 0 的随机数</translation>
    </message>
    <message>
        <source>it draws other numbers than rank 0</source>
        <translation>抽取的随机数与 rank 0 不同</translation>
    </message>
    <message>
        <source>the same state and the same numbers on every rank</source>
        <translation>每个 rank 上的状态和随机数都相同</translation>
    </message>
    <message>
        <source>measured ball</source>
        <translation>往返测量</translation>
    </message>
    <message>
        <source>what it exchanges with rank %1 is %2 instead of %3</source>
        <translation>与 rank %1 交换的值为 %2，应为 %3</translation>
    </message>
    <message>
        <source>plan of a pair</source>
        <translation>rank 对的计划</translation>
    </message>
    <message>
        <source>local ranks</source>
        <translation>本地 rank</translation>
    </message>
    <message>
        <source>ranks of machines</source>
        <translation>各机器的 rank 数</translation>
    </message>
    <message>
        <source>a sum is wrong</source>
        <translation>某个和不正确</translation>
    </message>
    <message>
        <source>1 rank, nothing to communicate</source>
        <translation>1 个 rank，无需通信</translation>
    </message>
    <message>
        <source>measured sum</source>
        <translation>求和测量</translation>
    </message>
    <message>
        <source>a sum is wrong after many of them</source>
        <translation>多次求和之后有一个和不正确</translation>
    </message>
    <message>
        <source>plan of measured sums</source>
        <translation>求和测量的计划</translation>
    </message>
    <message>
        <source>all-reduce: latency %1 us, bandwidth %2 per rank</source>
        <translation>all-reduce：延迟 %1 µs，每个 rank 带宽 %2</translation>
    </message>
    <message>
        <source>1 rank, no pair</source>
        <translation>1 个 rank，没有可配对的 rank</translation>
    </message>
    <message>
        <source>latency of a pair</source>
        <translation>rank 对的延迟</translation>
    </message>
    <message>
        <source>sizes of a pair</source>
        <translation>rank 对的大小</translation>
    </message>
    <message>
        <source>time of a pair</source>
        <translation>rank 对的时间</translation>
    </message>
    <message>
        <source>%1 pair: latency at most %2 us, bandwidth %3 to %4</source>
        <translation>%1 对：延迟最大 %2 µs，带宽 %3 到 %4</translation>
    </message>
    <message>
        <source>%1 pairs: latency at most %2 us, bandwidth %3 to %4</source>
        <translation>%1 对：延迟最大 %2 µs，带宽 %3 到 %4</translation>
    </message>
    <message>
        <source>%1 of rank %2</source>
        <translation>rank %2 的 %1</translation>
    </message>
    <message>
        <source>%1 does not reach %2 (%3)</source>
        <translation>%1 无法连接到 %2（%3）</translation>
    </message>
    <message>
        <source>%1 (rank %2)</source>
        <translation>%1（rank %2）</translation>
    </message>
    <message>
        <source>%1: open the ports between these machines (ranks use any), or name an interface on which they reach each other in TRAINYARD_ADDRESS</source>
        <translation>%1：请开放这些机器之间的端口（rank 可能使用任意端口），或在 TRAINYARD_ADDRESS 中指定它们可互相访问的网络接口</translation>
    </message>
    <message>
        <source>weights of one process</source>
        <translation>单个进程的权重</translation>
    </message>
    <message>
        <source>loss of one process</source>
        <translation>单个进程的损失</translation>
    </message>
    <message>
        <source>%1: after %2 steps a weight differs from one process' by %3, more than %4</source>
        <translation>%1：%2 步之后，某个权重与单个进程的相差 %3，超过 %4</translation>
    </message>
    <message>
        <source>%1: after %2 steps the loss differs from one process' by %3</source>
        <translation>%1：%2 步之后，损失与单个进程的相差 %3</translation>
    </message>
    <message>
        <source>%1 abcde</source>
        <translation>%1 abcde</translation>
    </message>
    <message>
        <source>a sample is none of the data set</source>
        <translation>某个样本不属于该数据集</translation>
    </message>
    <message>
        <source>samples seen</source>
        <translation>已见样本</translation>
    </message>
    <message>
        <source>some of %1 samples were not seen exactly %2 times in %3 epochs</source>
        <translation>%1 个样本中有一些在 %3 个 epoch 中出现的次数不是 %2 次</translation>
    </message>
    <message>
        <source>the second epoch has the order of the first</source>
        <translation>第二个 epoch 的顺序与第一个相同</translation>
    </message>
    <message>
        <source>%1 samples, each once per epoch over all ranks, in a new order each epoch</source>
        <translation>%1 个样本，每个 epoch 在所有 rank 上各出现一次，且每个 epoch 顺序不同</translation>
    </message>
    <message>
        <source>%1 rank and 2 micro-steps give the weights of one process, fp32 and bf16</source>
        <translation>%1 个 rank 和 2 个微步得到与单个进程相同的权重，fp32 和 bf16</translation>
    </message>
    <message>
        <source>%1 ranks and 2 micro-steps give the weights of one process, fp32 and bf16</source>
        <translation>%1 个 rank 和 2 个微步得到与单个进程相同的权重，fp32 和 bf16</translation>
    </message>
    <message>
        <source>it resumes at step %1 instead of 3</source>
        <translation>从第 %1 步恢复，应为第 3 步</translation>
    </message>
    <message>
        <source>the weights read back are not those that were saved</source>
        <translation>读回的权重与保存的不同</translation>
    </message>
    <message>
        <source>the step after resuming has the loss %1 instead of %2</source>
        <translation>恢复后那一步的损失为 %1，应为 %2</translation>
    </message>
    <message>
        <source>the step after resuming gives other weights</source>
        <translation>恢复后那一步得到的权重不同</translation>
    </message>
    <message>
        <source>%1 bytes saved, read back and trained on, bit by bit the same</source>
        <translation>保存、读回并继续训练 %1 字节，逐位相同</translation>
    </message>
    <message>
        <source>cannot start from %1: %2</source>
        <translation>无法从 %1 开始：%2</translation>
    </message>
    <message>
        <source>what is started from, to other machines</source>
        <translation>起始数据，发往其他机器</translation>
    </message>
    <message>
        <source>what is started from</source>
        <translation>起始数据</translation>
    </message>
    <message>
        <source>a machine lacks what is started from</source>
        <translation>某台机器缺少起始数据</translation>
    </message>
    <message>
        <source>what is started from is on all machines</source>
        <translation>所有机器上都有起始数据</translation>
    </message>
    <message>
        <source>another machine could not write what is started from: its log says why</source>
        <translation>另一台机器无法写入起始数据：原因见其日志</translation>
    </message>
    <message>
        <source>%1: what is started from cannot be written here: make room on the disk</source>
        <translation>%1：起始数据无法写入此处：请腾出磁盘空间</translation>
    </message>
    <message>
        <source>all have loaded what is started from</source>
        <translation>所有 rank 都已加载起始数据</translation>
    </message>
    <message>
        <source>process %1 cannot be started: %2</source>
        <translation>无法启动进程 %1：%2</translation>
    </message>
    <message>
        <source>the processes cannot meet: %1</source>
        <translation>进程之间无法建立连接：%1</translation>
    </message>
    <message>
        <source>%1 is started by trainyard-worker generate alone</source>
        <translation>%1 只能由 trainyard-worker generate 启动</translation>
    </message>
    <message>
        <source>model loaded</source>
        <translation>模型已加载</translation>
    </message>
    <message>
        <source>text goes on</source>
        <translation>文本继续</translation>
    </message>
</context>
<context>
    <name>errno</name>
    <message>
        <source>No such file or directory</source>
        <translation>没有该文件或目录</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>权限不够</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>操作不被允许</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备上没有剩余空间</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>超出磁盘配额</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>只读文件系统</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是一个目录</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是目录</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>文件已存在</translation>
    </message>
    <message>
        <source>Directory not empty</source>
        <translation>目录非空</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation>设备或资源忙</translation>
    </message>
    <message>
        <source>Exec format error</source>
        <translation>可执行文件格式错误</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>无法分配内存</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>打开的文件过多</translation>
    </message>
    <message>
        <source>Too many open files in system</source>
        <translation>系统中打开的文件过多</translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation>符号链接层数过多</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名过长</translation>
    </message>
    <message>
        <source>Invalid argument</source>
        <translation>无效的参数</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>文件过大</translation>
    </message>
    <message>
        <source>Broken pipe</source>
        <translation>管道已断开</translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation>连接被拒绝</translation>
    </message>
    <message>
        <source>Connection reset by peer</source>
        <translation>连接被对方重置</translation>
    </message>
    <message>
        <source>Connection timed out</source>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>No route to host</source>
        <translation>没有到主机的路由</translation>
    </message>
    <message>
        <source>Network is unreachable</source>
        <translation>网络不可达</translation>
    </message>
    <message>
        <source>Address already in use</source>
        <translation>地址已被占用</translation>
    </message>
    <message>
        <source>Stale file handle</source>
        <translation>过期的文件句柄</translation>
    </message>
    <message>
        <source>No such device</source>
        <translation>没有该设备</translation>
    </message>
    <message>
        <source>Invalid cross-device link</source>
        <translation>无效的跨设备链接</translation>
    </message>
</context>
</TS>
